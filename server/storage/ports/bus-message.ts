/**
 * Bus messages: the notifications that the processes of one store send to each other, and their JSON form on the wire.
 */

/** Notification to all processes. It never contains a secret: `sessionHash` is the hash of a session's token. */
export type BusMessage =
  /** A session changed its reader's own data. The reader's other pages load it again. */
  | { readonly type: 'reader-changed'; readonly readerId: string; readonly sessionHash: string }
  /** The sessions of a reader have ended, and with them the reader's event streams. */
  | { readonly type: 'reader-left'; readonly readerId: string };

/** Serializes a message to JSON. */
export const formatBusMessage = (message: BusMessage): string => JSON.stringify(message);

/** Parses a received message. Returns null for a malformed one, which has no effect. */
export function parseBusMessage(payload: string): BusMessage | null {
  if (!payload.startsWith('{')) return parseLegacyMessage(payload);
  const { type, readerId, sessionHash } = parseJsonObject(payload);
  if (!isNonEmptyText(readerId)) return null;
  if (type === 'reader-left') return { type, readerId };
  return type === 'reader-changed' && isNonEmptyText(sessionHash) ? { type, readerId, sessionHash } : null;
}

/**
 * Parses the form of the previous version: `changed <readerId> <sessionHash>` or `left <readerId>`. During a rolling
 * restart, processes of both versions share a database. The next version no longer needs this function. A process of
 * the previous version ignores the JSON form: it notices an ended session when it refreshes the access of its streams.
 */
function parseLegacyMessage(payload: string): BusMessage | null {
  const [kind, readerId, sessionHash, ...rest] = payload.split(' ');
  if (!isNonEmptyText(readerId) || rest.length > 0) return null;
  if (kind === 'left' && sessionHash === undefined) return { type: 'reader-left', readerId };
  return kind === 'changed' && isNonEmptyText(sessionHash) ? { type: 'reader-changed', readerId, sessionHash } : null;
}

const isNonEmptyText = (value: unknown): value is string => typeof value === 'string' && value !== '';

function parseJsonObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' ? { ...parsed } : {};
  } catch {
    return {};
  }
}
