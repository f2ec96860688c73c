/**
 * The store cannot be opened. The message is one sentence for the operator that starts with the setting, such as
 * `DATA_DIR:`.
 */
export class StoreOpenError extends Error {
  override readonly name = 'StoreOpenError';
}
