/** What is said of a connection that is lost, and with it its transaction; 25P03 and 25P04 where it had lasted too long. */
const LOST = /^(CONNECTION_\w+|CONNECT_TIMEOUT|ECONN\w+|EPIPE|ETIMEDOUT|57P0[123]|25P0[34]|08\w{3})$/;

/** Whether something failed because the connection to the database was lost. */
export const isLost = (error: unknown): boolean => error instanceof Error && 'code' in error && LOST.test(String(error.code));
