/** Error handling: turns errors into RFC 9457 problem responses. */
import type { Socket } from 'node:net';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Problem } from '../../contract/api.ts';
import { classifyFailure } from '../lib/infrastructure-errors.ts';

const PROBLEM_TITLES: Readonly<Record<number, string>> = {
  400: 'Bad request',
  401: 'Not signed in',
  403: 'Not allowed',
  404: 'Not found',
  405: 'Method not allowed',
  408: 'Request timeout',
  413: 'Too large',
  415: 'Unsupported type',
  422: 'Not valid',
  429: 'Too many requests',
  431: 'Too large',
  500: 'Server error',
  501: 'Not supported',
  503: 'Not available',
};

/** Error that becomes an HTTP problem response. `message` becomes the response's `detail`, so a reader may see it. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly status: number;
  constructor(status: number, detail: string) {
    super(detail);
    this.status = status;
  }
}

/** Creates a 404 error. `subject` begins its sentence, such as `The channel news`. */
export const notFound = (subject: string): HttpError => new HttpError(404, `${subject} was not found.`);

/** Sends an RFC 9457 problem. It is never cached, because the next attempt may succeed. */
export function sendProblem(reply: FastifyReply, status: number, detail: string): FastifyReply {
  const problem: Problem = { title: PROBLEM_TITLES[status] ?? 'Error', status, detail, requestId: reply.request.id };
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('application/problem+json; charset=utf-8')
    .serializer((body: unknown) => JSON.stringify(body))
    .send(problem);
}

/** Problems by Node's codes of invalid requests. */
const CLIENT_ERROR_PROBLEMS: Readonly<Record<string, readonly [status: number, detail: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'The URL and the headers together are longer than 16 kB.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request was not complete in time.'],
};

const CLIENT_ERROR_HEADERS = {
  'content-type': 'application/problem+json; charset=utf-8',
  'cache-control': 'no-store',
  connection: 'close',
};

/**
 * Responds to data that is not HTTP, or to headers that are too large: Node stops before a request exists that a route
 * could handle.
 */
export function sendClientError(
  error: Error & { readonly code?: string },
  socket: Socket,
  id: string,
  headers: Readonly<Record<string, string>>,
): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const [status, detail] = CLIENT_ERROR_PROBLEMS[error.code ?? ''] ?? [400, 'The request is not valid HTTP.'];
  const body = JSON.stringify({ title: PROBLEM_TITLES[status] ?? 'Error', status, detail, requestId: id } satisfies Problem);
  const allHeaders = { ...headers, ...CLIENT_ERROR_HEADERS, 'x-request-id': id, 'content-length': body.length };
  const headerLines = Object.entries(allHeaders).map(([name, value]) => `${name}: ${value}`);
  if (socket.writable) socket.write([`HTTP/1.1 ${status} ${PROBLEM_TITLES[status]}`, ...headerLines, '', body].join('\r\n'));
  socket.destroy(error);
}

/**
 * Turns an error that a handler threw into a problem. Unexpected errors are logged, and the response does not contain
 * their message.
 */
export function sendError(error: FastifyError | HttpError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const status = error instanceof HttpError ? error.status : (error.statusCode ?? 500);
  if (status === 429) request.rejection = 'limit';
  if (error instanceof HttpError) return sendProblem(reply, status, error.message);
  if (error.validation) return sendProblem(reply, 400, describeValidationError(error));
  if (status >= 400 && status < 500) return sendProblem(reply, status, endWithFullStop(error.message));
  request.failure = error;
  const failure = classifyFailure(error);
  if (failure !== null) {
    request.rejection = failure.component;
    return sendProblem(reply.header('retry-after', failure.retryAfter), 503, `${failure.detail} Try again later.`);
  }
  return sendProblem(reply, 500, 'The server could not handle this request. Try again in a moment.');
}

/** Describes a validation error, such as `limit must be <= 100.`, with the path of the field if there is one. */
function describeValidationError(error: FastifyError): string {
  const fault = error.validation?.[0];
  const field = fault?.instancePath.slice(1).replaceAll('/', '.') ?? '';
  const missing = fault?.params?.requiredProperties;
  const location = [error.validationContext === 'body' ? 'The body' : null, field || null]
    .filter((part) => part !== null)
    .join("'s ");
  const requirement = Array.isArray(missing) ? `must have ${missing.join(', ')}` : (fault?.message ?? 'is not valid');
  return endWithFullStop(`${location || 'The request'} ${requirement}`);
}

const endWithFullStop = (text: string): string => (text.endsWith('.') ? text : `${text}.`);
