// Push service of the notification benchmark, in a process of its own: accepts every message, and returns the number of
// messages at /count. Sends its port to the parent process.
import http from 'node:http';
import type { AddressInfo } from 'node:net';

let count = 0;
const server = http.createServer((request, response) => {
  if (request.url === '/count') {
    response.end(String(count));
    return;
  }
  request.resume();
  request.on('end', () => {
    count += 1;
    response.writeHead(201).end();
  });
});
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on('disconnect', () => process.exit());
