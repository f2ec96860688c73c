/** Restore command: restores a backup. */
import { parseArgs } from 'node:util';
import { restoreBackup } from '../backup/restore.ts';
import { loadConfig } from '../config.ts';
import { OperationRefusedError } from '../storage/transfer/tables.ts';
import { describeError } from './explain-error.ts';

const USAGE = `npm run restore -- --from FOLDER

Restores a backup into DATA_DIR or the database of DATABASE_URL, the same kind that it was made from; no store may exist there yet.
The whole backup is checked before anything is written. If a restore was interrupted, run the same command again.`;

const restore = async (): Promise<void> => {
  const { values } = parseArgs({ options: { from: { type: 'string' }, help: { type: 'boolean', short: 'h' } } });
  if (values.help) return console.log(USAGE);
  if (!values.from) throw new OperationRefusedError(`--from is required.\n${USAGE}`);
  const { rows, files, made, missing } = await restoreBackup(values.from, loadConfig());
  console.log(
    `Restored ${rows.messages ?? 0} messages of ${rows.channels ?? 0} channels and ${files.length} files, as of ${made}.`,
  );
  if (missing.length > 0) console.error(`${missing.length} stored files were not in the backup.`);
};

// Files that SQLite creates next to a database must not be readable by other users either.
process.umask(0o077);
restore().catch((error: unknown) => {
  console.error(error instanceof OperationRefusedError ? error.message : describeError(error));
  process.exitCode = error instanceof OperationRefusedError ? 2 : 1;
});
