// API error: the error of a failed API call. The fields of axios errors are read without axios's own type guard,
// because importing it would load axios.
import { property } from '../lib/property.ts';

/**
 * A failed API call. Its message (specification 8.1) is the `detail` of the response; without a response, 'No response
 * received'; otherwise the message of the request's own error. `status` is null when there was no response. `cancelled`
 * is true when the caller aborted the request.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number | null;
  readonly cancelled: boolean;

  constructor(message: string, status: number | null, cause?: unknown) {
    super(message, { cause });
    this.status = status;
    this.cancelled = property(cause, 'code') === 'ERR_CANCELED';
  }
}

/** Creates an ApiError from an error of a request (specification 8.1). */
export function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  const response = property(thrown, 'response');
  const detail = property(property(response, 'data'), 'detail');
  const status = property(response, 'status');
  if (typeof detail === 'string') return new ApiError(detail, toStatus(status), thrown);
  if (response === undefined && property(thrown, 'request') !== undefined)
    return new ApiError('No response received', null, thrown);
  return new ApiError(thrown instanceof Error ? thrown.message : String(thrown), toStatus(status), thrown);
}

const toStatus = (status: unknown): number | null => (typeof status === 'number' ? status : null);
