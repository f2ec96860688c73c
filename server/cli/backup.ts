/** Backup command: copies the store and its files into a folder. */
import { parseArgs } from 'node:util';
import { createBackup } from '../backup/create.ts';
import { loadConfig } from '../config.ts';
import { OperationRefusedError } from '../storage/transfer/tables.ts';
import { describeError } from './explain-error.ts';

const USAGE = `npm run backup -- --to FOLDER

Copies the store of DATA_DIR or DATABASE_URL, its media files and the pinned tags into FOLDER, which must not exist yet. The server
may run meanwhile. The folder appears when the backup is complete. It contains readers' data and the server's secrets.
npm run restore restores it.`;

const backup = async (): Promise<void> => {
  const { values } = parseArgs({ options: { to: { type: 'string' }, help: { type: 'boolean', short: 'h' } } });
  if (values.help) return console.log(USAGE);
  if (!values.to) throw new OperationRefusedError(`--to is required.\n${USAGE}`);
  const { rows, files, missing } = await createBackup(loadConfig(), values.to);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  console.log(
    `Backed up ${rows.messages ?? 0} messages of ${rows.channels ?? 0} channels, ${files.length} files, ${bytes} bytes.`,
  );
  for (const key of missing)
    console.error(`The stored file ${key} is not in the backup: it is missing, or its content does not match its name.`);
};

// Files that SQLite creates next to a database must not be readable by other users either.
process.umask(0o077);
backup().catch((error: unknown) => {
  console.error(error instanceof OperationRefusedError ? error.message : describeError(error));
  process.exitCode = error instanceof OperationRefusedError ? 2 : 1;
});
