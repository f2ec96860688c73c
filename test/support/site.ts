import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A site with another origin than the app. */
export interface Site {
  readonly origin: string;
  stop(): void;
}

/** Serves one page, `body` after its doctype, with the given headers. Reports of its policy are added to `reports`. */
export async function startSite(
  body: string,
  headers: Readonly<Record<string, string>> = {},
  reports: unknown[] = [],
): Promise<Site> {
  const server = createServer((request, response) => {
    if (request.method === 'POST') {
      let text = '';
      request.on('data', (chunk) => (text += chunk));
      request.on('end', () => reports.push(text));
      response.writeHead(204).end();
      return;
    }
    response.writeHead(request.url === '/' ? 200 : 404, { 'content-type': 'text/html; charset=utf-8', ...headers });
    response.end(
      `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>A site</title>${body}`,
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
