import { foldStoredNames, isNameFoldingDue } from '../sql/channel-names.ts';
import { type SchemaVersions, UnusableDatabaseError } from '../sql/engine.ts';
import { isSearchIndexDue, rebuildSearchIndex } from '../sql/post-index.ts';
import { isMediaRecountDue, recountMedia } from '../sql/recount-media.ts';
import type { Database } from './connection.ts';
import { createOperationRunner } from './engine.ts';

// SQLite schema migrations. A migration that has run anywhere is never edited; each change is a new migration at the
// end.
//
// `messages.id` contains the date in its upper bits (see sql/post-index.ts). The search index can only be read in the
// order of its row ids, so that order is the order of dates. `head` marks the row that a list shows: a single message,
// or the first message of its album.
export const SQLITE_MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE channels (
    id TEXT PRIMARY KEY, title TEXT NOT NULL, username TEXT, about TEXT, picture TEXT, members INTEGER,
    source TEXT NOT NULL, state TEXT NOT NULL, private INTEGER NOT NULL, demo INTEGER NOT NULL,
    pinned INTEGER, pinned_at INTEGER NOT NULL DEFAULT 0
  );
  CREATE TABLE usernames (
    name TEXT PRIMARY KEY, channel TEXT NOT NULL REFERENCES channels ON DELETE CASCADE
  ) WITHOUT ROWID;
  CREATE INDEX usernames_channel ON usernames (channel);

  CREATE TABLE messages (
    id INTEGER PRIMARY KEY, channel TEXT NOT NULL REFERENCES channels ON DELETE CASCADE, message INTEGER NOT NULL,
    date INTEGER NOT NULL, seen INTEGER NOT NULL, rank INTEGER NOT NULL, album TEXT, album_rank INTEGER NOT NULL,
    head INTEGER NOT NULL, media INTEGER NOT NULL, service INTEGER NOT NULL, body TEXT NOT NULL
  );
  CREATE UNIQUE INDEX messages_by_number ON messages (channel, message);
  CREATE INDEX messages_by_date ON messages (channel, date, message) WHERE head = 1;
  CREATE INDEX messages_with_media ON messages (channel, date, message) WHERE head = 1 AND media = 1;
  CREATE INDEX messages_by_album ON messages (channel, album, message) WHERE album IS NOT NULL;
  CREATE TABLE album_names (
    channel TEXT NOT NULL REFERENCES channels ON DELETE CASCADE, name TEXT NOT NULL, album TEXT NOT NULL,
    PRIMARY KEY (channel, name)
  ) WITHOUT ROWID;
  CREATE VIRTUAL TABLE words USING fts5 (
    stems, content = '', contentless_delete = 1, detail = none, tokenize = "ascii tokenchars '#_:-'"
  );

  CREATE TABLE media_files (
    key TEXT PRIMARY KEY, mime TEXT NOT NULL, size INTEGER NOT NULL, width INTEGER, height INTEGER, placeholder TEXT
  ) WITHOUT ROWID;
  CREATE TABLE media_uses (
    key TEXT NOT NULL, channel TEXT NOT NULL REFERENCES channels ON DELETE CASCADE, PRIMARY KEY (key, channel)
  ) WITHOUT ROWID;
  CREATE INDEX media_uses_channel ON media_uses (channel);

  CREATE TABLE readers (id TEXT PRIMARY KEY, name TEXT NOT NULL, username TEXT, language TEXT) WITHOUT ROWID;
  CREATE TABLE sessions (token_hash TEXT PRIMARY KEY, reader TEXT NOT NULL, expires INTEGER NOT NULL) WITHOUT ROWID;
  CREATE INDEX sessions_reader ON sessions (reader);
  CREATE INDEX sessions_expires ON sessions (expires);
  CREATE TABLE lineups (reader TEXT PRIMARY KEY, version INTEGER NOT NULL, entries TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE marks (
    reader TEXT NOT NULL, channel TEXT NOT NULL, message INTEGER NOT NULL, PRIMARY KEY (reader, channel)
  ) WITHOUT ROWID;
  CREATE TABLE stars (
    reader TEXT NOT NULL, channel TEXT NOT NULL, post INTEGER NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (reader, channel, post)
  ) WITHOUT ROWID;
  CREATE INDEX stars_by_time ON stars (reader, at, channel, post);
  CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  `,
  // `gap` is the number of missing ids before a message. `hidden` is the time when a message was hidden. A hidden
  // message is no head row, so that every list excludes it. File usage is counted by message, because hiding a post
  // hides its files too.
  `
  ALTER TABLE channels ADD COLUMN since INTEGER;
  ALTER TABLE channels ADD COLUMN withdrawn INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE messages ADD COLUMN turn INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE messages ADD COLUMN poll TEXT;
  ALTER TABLE messages ADD COLUMN gap INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE messages ADD COLUMN hidden INTEGER;
  ALTER TABLE messages ADD COLUMN gone INTEGER;
  CREATE INDEX messages_by_poll ON messages (poll) WHERE poll IS NOT NULL;
  CREATE INDEX messages_with_gap ON messages (channel, message) WHERE gap > 0;
  CREATE INDEX messages_hidden ON messages (channel, hidden) WHERE hidden IS NOT NULL;
  CREATE TABLE explained (
    channel TEXT NOT NULL REFERENCES channels ON DELETE CASCADE, low INTEGER NOT NULL, high INTEGER NOT NULL,
    PRIMARY KEY (channel, low, high)
  ) WITHOUT ROWID;
  CREATE TABLE raw_messages (
    channel TEXT NOT NULL REFERENCES channels ON DELETE CASCADE, message INTEGER NOT NULL, body TEXT NOT NULL,
    PRIMARY KEY (channel, message)
  ) WITHOUT ROWID;
  CREATE TABLE reactions (
    channel TEXT NOT NULL, message INTEGER NOT NULL, at INTEGER NOT NULL, turn INTEGER NOT NULL, body TEXT NOT NULL,
    PRIMARY KEY (channel, message)
  ) WITHOUT ROWID;
  CREATE TABLE polls (id TEXT PRIMARY KEY, at INTEGER NOT NULL, turn INTEGER NOT NULL, body TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE events (
    id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, channel TEXT NOT NULL, message INTEGER
  );
  DROP TABLE media_uses;
  CREATE TABLE media_uses (
    key TEXT NOT NULL, channel TEXT NOT NULL REFERENCES channels ON DELETE CASCADE, message INTEGER NOT NULL,
    PRIMARY KEY (key, channel, message)
  ) WITHOUT ROWID;
  CREATE INDEX media_uses_channel ON media_uses (channel, message);
  INSERT OR IGNORE INTO media_uses
    SELECT substr(src, 8), channel, message FROM (
      SELECT m.channel, m.message, f.value ->> 'src' AS src FROM messages m, json_each(m.body, '$.media') f
      UNION ALL
      SELECT m.channel, m.message, f.value ->> '$.poster.src' FROM messages m, json_each(m.body, '$.media') f
      UNION ALL
      SELECT id, 0, picture ->> 'src' FROM channels WHERE picture IS NOT NULL
    ) WHERE src IS NOT NULL;
  `,
  // The actor of an audit event may be deleted, and so may its channel: both ids may refer to nothing.
  `
  CREATE TABLE acts (
    id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, actor TEXT NOT NULL, act TEXT NOT NULL, channel TEXT, title TEXT,
    detail TEXT
  );
  CREATE INDEX acts_by_time ON acts (at);
  CREATE INDEX acts_by_channel ON acts (channel, id);
  `,
  // Files of a bot's messages to fetch. A claimed file is due again when its lease ends. `posted` is the date of the
  // newest post that shows it. A `lasting` file (a poster, a channel's picture) is never evicted for the quota. A file
  // of a message belongs to the media item whose `unique` is `owner`. Message 0 is the channel itself.
  `
  CREATE TABLE source_files (
    unique_id TEXT PRIMARY KEY, file_id TEXT NOT NULL, size INTEGER, state TEXT NOT NULL DEFAULT 'wanted', key TEXT,
    tries INTEGER NOT NULL DEFAULT 0, due INTEGER NOT NULL DEFAULT 0, reason TEXT, posted INTEGER NOT NULL DEFAULT 0,
    lasting INTEGER NOT NULL DEFAULT 0
  ) WITHOUT ROWID;
  CREATE INDEX source_files_wanted ON source_files (posted, due) WHERE state = 'wanted';
  CREATE INDEX source_files_due ON source_files (due) WHERE state = 'wanted';
  CREATE INDEX source_files_failed ON source_files (reason) WHERE state = 'failed';
  CREATE INDEX source_files_originals ON source_files (posted) WHERE state = 'kept' AND lasting = 0;
  CREATE INDEX source_files_by_key ON source_files (key) WHERE key IS NOT NULL;
  CREATE TABLE file_refs (
    channel TEXT NOT NULL REFERENCES channels ON DELETE CASCADE, message INTEGER NOT NULL, owner TEXT NOT NULL,
    part TEXT NOT NULL, unique_id TEXT NOT NULL, PRIMARY KEY (channel, message, owner, part)
  ) WITHOUT ROWID;
  CREATE INDEX file_refs_by_file ON file_refs (unique_id);
  ALTER TABLE media_files ADD COLUMN sizes INTEGER NOT NULL DEFAULT 0;
  CREATE TABLE kept_bytes (bytes INTEGER NOT NULL);
  INSERT INTO kept_bytes SELECT coalesce(sum(size), 0) FROM media_files;
  CREATE TRIGGER media_file_kept AFTER INSERT ON media_files BEGIN
    UPDATE kept_bytes SET bytes = bytes + NEW.size + NEW.sizes;
  END;
  CREATE TRIGGER media_file_changed AFTER UPDATE OF size, sizes ON media_files BEGIN
    UPDATE kept_bytes SET bytes = bytes + NEW.size + NEW.sizes - OLD.size - OLD.sizes;
  END;
  CREATE TRIGGER media_file_gone AFTER DELETE ON media_files BEGIN
    UPDATE kept_bytes SET bytes = bytes - OLD.size - OLD.sizes;
  END;
  `,
  // A connection outlives its channel. An ended connection keeps the time of its end, so that an earlier update does
  // not connect it again.
  `
  CREATE TABLE connections (
    channel TEXT PRIMARY KEY, title TEXT NOT NULL, username TEXT, at INTEGER NOT NULL, turn INTEGER NOT NULL, rights TEXT, actor TEXT,
    accepted INTEGER NOT NULL DEFAULT 0, ended INTEGER NOT NULL DEFAULT -1, ended_turn INTEGER NOT NULL DEFAULT -1, ending INTEGER, due INTEGER,
    removes INTEGER NOT NULL DEFAULT 0, former TEXT, heard INTEGER, read INTEGER, checked INTEGER,
    stale INTEGER NOT NULL DEFAULT 0, photo TEXT, recheck INTEGER
  ) WITHOUT ROWID;
  CREATE TABLE parked_updates (
    id INTEGER PRIMARY KEY, channel TEXT NOT NULL, at INTEGER NOT NULL, body TEXT NOT NULL
  );
  CREATE INDEX parked_by_channel ON parked_updates (channel, id);
  CREATE TABLE bad_updates (id INTEGER PRIMARY KEY, at INTEGER NOT NULL, reason TEXT NOT NULL, body TEXT NOT NULL);
  CREATE TABLE intents (reader TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE members (
    channel TEXT NOT NULL, user TEXT NOT NULL, level INTEGER NOT NULL, until INTEGER NOT NULL, PRIMARY KEY (channel, user)
  ) WITHOUT ROWID;
  CREATE INDEX members_until ON members (until);
  CREATE TABLE leases (name TEXT PRIMARY KEY, holder TEXT NOT NULL, until INTEGER NOT NULL) WITHOUT ROWID;
  `,
  // An item of a feed has a permanent message id. `host` and `taken_until` let several processes share the fetching.
  `
  CREATE TABLE feeds (
    channel TEXT PRIMARY KEY REFERENCES channels ON DELETE CASCADE, url TEXT NOT NULL, host TEXT NOT NULL, etag TEXT,
    last_modified TEXT, due INTEGER, interval INTEGER NOT NULL, failures INTEGER NOT NULL, failing_since INTEGER, error TEXT,
    checked_at INTEGER, taken_until INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX feeds_due ON feeds (due) WHERE due IS NOT NULL;
  CREATE INDEX feeds_by_url ON feeds (url);
  CREATE TABLE feed_items (
    channel TEXT NOT NULL REFERENCES channels ON DELETE CASCADE, key TEXT NOT NULL, message INTEGER NOT NULL, date INTEGER NOT NULL,
    edited INTEGER, seen INTEGER NOT NULL, fresh INTEGER NOT NULL, hash TEXT NOT NULL, PRIMARY KEY (channel, key)
  ) WITHOUT ROWID;
  CREATE UNIQUE INDEX feed_items_by_number ON feed_items (channel, message);
  `,
  // The message that a post replies to, as `channel/message`. Replies quote its text, and therefore change and
  // disappear with it.
  `
  ALTER TABLE messages ADD COLUMN answers TEXT;
  UPDATE messages SET answers = coalesce(body ->> '$.reply.channelId', channel) || '/' || (body ->> '$.reply.id')
    WHERE body ->> '$.reply.id' IS NOT NULL;
  CREATE INDEX messages_by_answered ON messages (answers) WHERE answers IS NOT NULL;
  `,
  // A line-up has more than entries: see `LineupContents` in contract/lineup.ts.
  `
  ALTER TABLE lineups RENAME COLUMN entries TO contents;
  UPDATE lineups SET contents = json_object('entries', json(contents));
  `,
  // Channels that readers added are not in the directory, and are deleted when unused. `asked` is the time of the last
  // request.
  `
  ALTER TABLE channels ADD COLUMN elsewhere INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE channels ADD COLUMN asked INTEGER NOT NULL DEFAULT 0;
  `,
  // Spellings of search terms, for lookups of an unfinished word or a part of a word. A later change of search terms
  // (server/domain/tokenizer.ts, search-terms.ts) needs a migration that stores the same metadata key; see
  // sql/post-index.ts.
  `
  CREATE TABLE spellings (part TEXT NOT NULL, word TEXT NOT NULL, PRIMARY KEY (part, word)) WITHOUT ROWID;
  INSERT INTO facts (name, value) VALUES ('words-to-remake', '') ON CONFLICT DO NOTHING;
  `,
  // A channel that is added again after its removal is not accessible with its previous keys.
  `
  CREATE TABLE site_keys (id TEXT PRIMARY KEY, origin TEXT NOT NULL, at INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE site_key_channels (
    key TEXT NOT NULL REFERENCES site_keys ON DELETE CASCADE, channel TEXT NOT NULL REFERENCES channels ON DELETE CASCADE,
    PRIMARY KEY (key, channel)
  ) WITHOUT ROWID;
  CREATE INDEX site_keys_by_channel ON site_key_channels (channel);
  `,
  // Idempotency keys of readers' changes, as their devices chose them. `at` is unix seconds.
  `
  CREATE TABLE heard (reader TEXT NOT NULL, key TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (reader, key)) WITHOUT ROWID;
  CREATE INDEX heard_by_time ON heard (reader, at, key);
  `,
  // The day on which a reader was last seen, in days since 1970. Inactive readers are deleted.
  `
  ALTER TABLE readers ADD COLUMN seen INTEGER NOT NULL DEFAULT 0;
  UPDATE readers SET seen = CAST(strftime('%s', 'now') AS INTEGER) / 86400;
  CREATE INDEX readers_by_seen ON readers (seen);
  `,
  // When a reader ended other sessions, in unix seconds. Launch data from before that time is rejected.
  `ALTER TABLE readers ADD COLUMN signed_out INTEGER NOT NULL DEFAULT 0`,
  // Media lists exclude posts without any file that can be shown; see sql/recount-media.ts.
  `INSERT INTO facts (name, value) VALUES ('media-to-recount', '') ON CONFLICT DO NOTHING`,
  // Pinned messages, each with the time when it was last known to be pinned, as serialized by domain/pins.ts. `pinned`
  // and `pinned_at` are the last report about the newest one. An export reports no newest pin: its pinned message is
  // one of several.
  `
  ALTER TABLE channels ADD COLUMN pins TEXT NOT NULL DEFAULT '{}';
  UPDATE channels SET pins = '{"' || pinned || '":' || pinned_at || '}' WHERE pinned IS NOT NULL;
  UPDATE channels SET pinned = NULL, pinned_at = 0 WHERE source = 'export';
  `,
  // Posts that a reader keeps unread although the channel's read marker is past them.
  `
  CREATE TABLE kept_unread (
    reader TEXT NOT NULL, channel TEXT NOT NULL, post INTEGER NOT NULL, PRIMARY KEY (reader, channel, post)
  ) WITHOUT ROWID;
  `,
  // Files of the web app that are retained after another build has replaced theirs (see sql/retained-files.ts).
  `
  CREATE TABLE retained_files (
    path TEXT PRIMARY KEY, size INTEGER NOT NULL, integrity TEXT NOT NULL, since INTEGER NOT NULL, retired INTEGER,
    content TEXT NOT NULL
  );
  `,
  // The folded title and username of a channel, for searches by name; see sql/channel-names.ts. The indexes are for pages
  // of listed channels (an index of SQLite contains the rowid), and for the few channels that are not in the directory
  // of every reader.
  `
  ALTER TABLE channels ADD COLUMN folded TEXT NOT NULL DEFAULT '';
  INSERT INTO facts (name, value) VALUES ('channels-to-fold', '') ON CONFLICT DO NOTHING;
  CREATE INDEX channels_by_order ON channels (elsewhere);
  CREATE INDEX channels_restricted ON channels (id) WHERE elsewhere = 1 OR withdrawn = 1 OR private = 1;
  CREATE INDEX channels_demo ON channels (id) WHERE demo = 1;
  `,
  // Notifications. An owner is a reader's id, or `d-` and the id of an anonymous device. Each word of a choice has a row
  // in `notification_words` with its first index term; `rest` is a JSON list of its other terms. `since` is the id of
  // the last event before the choice. The queue has one row per recipient and post; `due` is also the end of a claim.
  // `at` and `due` of the queue are unix milliseconds, other times are unix seconds.
  `
  CREATE TABLE notification_settings (
    owner TEXT PRIMARY KEY, delivery TEXT NOT NULL, daily_at INTEGER NOT NULL, quiet_from INTEGER, quiet_to INTEGER,
    zone TEXT NOT NULL, target TEXT NOT NULL, bot_access INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE notification_choices (
    owner TEXT NOT NULL, channel TEXT NOT NULL REFERENCES channels ON DELETE CASCADE, mode TEXT NOT NULL, words TEXT NOT NULL,
    since INTEGER NOT NULL, PRIMARY KEY (owner, channel)
  ) WITHOUT ROWID;
  CREATE INDEX notification_choices_by_channel ON notification_choices (channel, mode, owner);
  CREATE TABLE notification_words (
    channel TEXT NOT NULL REFERENCES channels ON DELETE CASCADE, term TEXT NOT NULL, owner TEXT NOT NULL, rest TEXT NOT NULL,
    PRIMARY KEY (channel, term, owner, rest)
  ) WITHOUT ROWID;
  CREATE INDEX notification_words_by_owner ON notification_words (owner, channel);
  CREATE TABLE notification_devices (
    id TEXT PRIMARY KEY, owner TEXT NOT NULL, token_hash TEXT NOT NULL, endpoint TEXT NOT NULL, p256dh TEXT NOT NULL,
    auth TEXT NOT NULL, language TEXT NOT NULL, label TEXT NOT NULL, created INTEGER NOT NULL, seen INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE UNIQUE INDEX notification_devices_by_token ON notification_devices (token_hash);
  CREATE UNIQUE INDEX notification_devices_by_endpoint ON notification_devices (endpoint);
  CREATE INDEX notification_devices_by_owner ON notification_devices (owner);
  CREATE INDEX notification_devices_by_visit ON notification_devices (seen);
  CREATE TABLE notification_queue (
    recipient TEXT NOT NULL, kind TEXT NOT NULL, channel TEXT NOT NULL, post INTEGER NOT NULL, target TEXT NOT NULL,
    owner TEXT NOT NULL, at INTEGER NOT NULL, due INTEGER NOT NULL, attempts INTEGER NOT NULL, claim TEXT,
    sending INTEGER NOT NULL, PRIMARY KEY (recipient, kind, channel, post)
  ) WITHOUT ROWID;
  CREATE INDEX notification_queue_by_due ON notification_queue (target, due);
  CREATE INDEX notification_queue_by_owner ON notification_queue (owner);
  CREATE INDEX notification_queue_sending ON notification_queue (due) WHERE sending = 1;
  CREATE TABLE notification_shown (
    recipient TEXT NOT NULL, channel TEXT NOT NULL, post INTEGER NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (recipient, channel)
  ) WITHOUT ROWID;
  CREATE TABLE notification_posts (
    channel TEXT NOT NULL, message INTEGER NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (channel, message)
  ) WITHOUT ROWID;
  CREATE TABLE notification_counts (
    day INTEGER NOT NULL, name TEXT NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (day, name)
  ) WITHOUT ROWID;
  `,
];

const schemaVersionOf = (database: Database) => Number(database.sql('PRAGMA user_version').get()?.user_version ?? 0);

/** Migrates the schema to this program's version. Rejects a database that a newer program has changed. */
const applyMigrations = (database: Database): void => {
  if (schemaVersionOf(database) > SQLITE_MIGRATIONS.length)
    throw new UnusableDatabaseError(
      `it was written by a newer version of this program (schema ${schemaVersionOf(database)}, this one knows ${SQLITE_MIGRATIONS.length})`,
    );
  for (let version = schemaVersionOf(database); version < SQLITE_MIGRATIONS.length; version = schemaVersionOf(database)) {
    database.transaction(() => {
      // Another process may have run this migration while this one waited for the lock.
      if (schemaVersionOf(database) !== version) return;
      database.exec(`${SQLITE_MIGRATIONS[version]}; PRAGMA user_version = ${version + 1}`);
    });
  }
};

/**
 * Migrates the schema; recounts media and rebuilds search terms if needed. Returns the previous and the current
 * version.
 */
export const migrateSqlite = (database: Database): SchemaVersions => {
  const from = schemaVersionOf(database);
  applyMigrations(database);
  const runOperation = createOperationRunner(database);
  if (runOperation(isNameFoldingDue())) database.transaction(() => runOperation(foldStoredNames()));
  if (runOperation(isMediaRecountDue())) database.transaction(() => runOperation(recountMedia()));
  if (runOperation(isSearchIndexDue()))
    database.transaction(() => runOperation(rebuildSearchIndex("INSERT INTO words (words) VALUES ('delete-all')")));
  return { from, to: SQLITE_MIGRATIONS.length };
};
