import type { ApiError, ResponseParameters } from '@grammyjs/types';

/** An error response with the text that Telegram uses. */
export class BotApiError extends Error {
  readonly code: number;
  readonly parameters: ResponseParameters | undefined;
  constructor(code: number, description: string, parameters?: ResponseParameters) {
    super(description);
    this.code = code;
    this.parameters = parameters;
  }
  /** Returns the body that Telegram would send. */
  body(): ApiError {
    const { code, message, parameters } = this;
    return { ok: false, error_code: code, description: message, ...(parameters ? { parameters } : {}) };
  }
}

export const badRequest = (what: string) => new BotApiError(400, `Bad Request: ${what}`);
export const forbidden = (what: string) => new BotApiError(403, `Forbidden: ${what}`);
export const conflict = (what: string) => new BotApiError(409, `Conflict: ${what}`);
export const unauthorized = () => new BotApiError(401, 'Unauthorized');
export const notFound = () => new BotApiError(404, 'Not Found');
export const tooMany = (seconds: number) =>
  new BotApiError(429, `Too Many Requests: retry after ${seconds}`, { retry_after: seconds });

/** The arguments of a method, regardless of how they were sent. */
export type Args = Readonly<Record<string, unknown>>;

/** Parses a number that may have been sent as text, as in a URL. */
export const numberArg = (args: Args, name: string): number | undefined => {
  const value = args[name];
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
};

export const textArg = (args: Args, name: string): string | undefined => {
  const value = args[name];
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined;
};

export const flagArg = (args: Args, name: string): boolean => args[name] === true || args[name] === 'true' || args[name] === '1';

/** Parses a list that may have been sent as JSON text; undefined if there is none. */
export const listArg = (args: Args, name: string): readonly unknown[] | undefined => {
  const value = args[name];
  const list: unknown = typeof value === 'string' ? JSON.parse(value) : value;
  return Array.isArray(list) ? list : undefined;
};
