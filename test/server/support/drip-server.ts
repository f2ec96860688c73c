import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { TestContext } from 'node:test';

/** Starts a Bot API that has one file. It sends the first part of the file, and `rest` decides what follows. */
export const startDrip = async (
  t: Pick<TestContext, 'after'>,
  bytes: Buffer,
  first: number,
  rest: (response: ServerResponse, download: number) => void,
) => {
  let downloads = 0;
  const server = createServer((request, response) => {
    if (request.url?.includes('/getFile')) {
      const result = { file_id: 'drip', file_unique_id: 'drip', file_size: bytes.length, file_path: 'videos/file_1.mp4' };
      return void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ ok: true, result }));
    }
    downloads += 1;
    const download = downloads;
    response.writeHead(200, { 'content-length': bytes.length });
    response.write(bytes.subarray(0, first), () => rest(response, download));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const root = `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}`;
  return { root, downloads: () => downloads };
};
