import { all, type Engine, integer, type Row, run, text, together, type Work } from '../../storage/sql/statements.ts';
import type { SiteKey, SiteKeyStore } from '../site-keys.ts';

function* writeSiteKey({ id, origin, channels, at }: SiteKey): Work<void> {
  yield* run('DELETE FROM site_keys WHERE NOT EXISTS (SELECT 1 FROM site_key_channels WHERE key = site_keys.id)');
  yield* run('INSERT INTO site_keys (id, origin, at) VALUES (?, ?, ?)', id, origin, at);
  for (const channel of channels) yield* run('INSERT INTO site_key_channels (key, channel) VALUES (?, ?)', id, channel);
}

function* readSiteKey(row: Row): Work<SiteKey[]> {
  const id = text(row, 'id');
  const channels = (yield* all('SELECT channel FROM site_key_channels WHERE key = ? ORDER BY channel', id)).map((each) =>
    text(each, 'channel'),
  );
  return channels.length === 0 ? [] : [{ id, origin: text(row, 'origin'), channels, at: integer(row, 'at') }];
}

function* readSiteKeys(sql: string, ...values: string[]): Work<SiteKey[]> {
  return (yield* together((yield* all(sql, ...values)).map(readSiteKey))).flat();
}

/** The store's part of keys for sites. */
export const siteKeyStore = ({ read, write }: Engine): SiteKeyStore => ({
  putSiteKey: (key) => write(writeSiteKey(key)),
  siteKey: async (id) => (await read(readSiteKeys('SELECT * FROM site_keys WHERE id = ?', id)))[0] ?? null,
  siteKeys: () => read(readSiteKeys('SELECT * FROM site_keys ORDER BY at DESC, id')),
  dropSiteKey: async (id) => (await write(run('DELETE FROM site_keys WHERE id = ?', id))) > 0,
});
