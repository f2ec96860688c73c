import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Args } from './answer.ts';

const bodyOf = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
};

/** Parses the arguments of a method from the URL, JSON or a form (without the files of a form). */
export const argsOf = async (request: IncomingMessage, address: URL): Promise<Args> => {
  const body = await bodyOf(request);
  const args = Object.fromEntries(address.searchParams);
  if (body.length === 0) return args;
  const type = request.headers['content-type'] ?? '';
  if (type.includes('json')) return { ...args, ...JSON.parse(body.toString()) };
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
  for (const [name, value] of form) if (typeof value === 'string') args[name] = value;
  return args;
};

export const sendJson = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

/** Sends a file, or the requested range of it, as nginx in front of the files of Telegram does. */
export const sendBytes = (request: IncomingMessage, response: ServerResponse, bytes: Buffer): void => {
  const requestedRange = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '');
  const headers = { 'content-type': 'application/octet-stream', 'accept-ranges': 'bytes' };
  if (!requestedRange) return void response.writeHead(200, { ...headers, 'content-length': bytes.length }).end(bytes);
  const from = Number(requestedRange[1]);
  const to = requestedRange[2] ? Math.min(Number(requestedRange[2]), bytes.length - 1) : bytes.length - 1;
  if (from > to) return void response.writeHead(416, { 'content-range': `bytes */${bytes.length}` }).end();
  const range = { 'content-range': `bytes ${from}-${to}/${bytes.length}`, 'content-length': to - from + 1 };
  response.writeHead(206, { ...headers, ...range }).end(bytes.subarray(from, to + 1));
};
