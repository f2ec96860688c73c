import type { SiteKey, SiteKeyStore } from '../site-keys.ts';
import { type Database, integer, type Row, text } from './database.ts';

const writeSiteKey = (database: Database, { id, origin, channels, at }: SiteKey): void => {
  database.sql('DELETE FROM site_keys WHERE NOT EXISTS (SELECT 1 FROM site_key_channels WHERE key = site_keys.id)').run();
  database.sql('INSERT INTO site_keys (id, origin, at) VALUES (?, ?, ?)').run(id, origin, at);
  for (const channel of channels) database.sql('INSERT INTO site_key_channels (key, channel) VALUES (?, ?)').run(id, channel);
};

const readSiteKey = (database: Database, row: Row): SiteKey[] => {
  const id = text(row, 'id');
  const channels = database
    .sql('SELECT channel FROM site_key_channels WHERE key = ? ORDER BY channel')
    .all(id)
    .map((each) => text(each, 'channel'));
  return channels.length === 0 ? [] : [{ id, origin: text(row, 'origin'), channels, at: integer(row, 'at') }];
};

/** The store's part of keys for sites; `write` runs a transaction. */
export const siteKeyStore = (database: Database, write: <T>(work: () => T) => Promise<T>): SiteKeyStore => ({
  putSiteKey: (key) => write(() => writeSiteKey(database, key)),
  siteKey: async (id) =>
    database
      .sql('SELECT * FROM site_keys WHERE id = ?')
      .all(id)
      .flatMap((row) => readSiteKey(database, row))[0] ?? null,
  siteKeys: async () =>
    database
      .sql('SELECT * FROM site_keys ORDER BY at DESC, id')
      .all()
      .flatMap((row) => readSiteKey(database, row)),
  dropSiteKey: (id) => write(() => Number(database.sql('DELETE FROM site_keys WHERE id = ?').run(id).changes) > 0),
});
