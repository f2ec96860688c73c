import { Type } from 'typebox';
import type { App } from '../app.ts';
import type { Context } from '../context.ts';
import { listPinned, readPinned } from '../pinned.ts';
import { sendProblem } from '../problems.ts';
import { webFile } from '../web.ts';
import { sendFile } from './web.ts';

const Pinned = Type.Object({ version: Type.String(), file: Type.String() });

/** The tags as they were at a version, and the list of the versions; the newest lie among the built files. */
export function elementRoutes(app: App, { config }: Context): void {
  // What is kept changes when the server starts, and never while it runs.
  const versions = () =>
    webFile('/elements/versions.json', Buffer.from(JSON.stringify({ versions: listPinned(config.dataDir) })));
  let list: ReturnType<typeof versions> | null = null;
  app.get('/elements/versions.json', { schema: { hide: true } }, (request, reply) => {
    list ??= versions();
    return sendFile(list, 200, request, reply);
  });
  app.get('/elements/v/:version/:file', { schema: { hide: true, params: Pinned } }, async (request, reply) => {
    const { version, file } = request.params;
    const pinned = await readPinned(version, file, config.dataDir);
    if (pinned !== null) return sendFile(pinned, 200, request, reply);
    return sendProblem(reply, 404, `There is no ${file} of version ${version}: /elements/versions.json lists what there is.`);
  });
}
