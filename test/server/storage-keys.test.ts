import assert from 'node:assert/strict';
import { it } from 'node:test';
import { PREFETCH_PREFIX } from '../../src/data/background/prefetch.ts';
import { STREAM_POSITION_KEY } from '../../src/data/live/apply-to-offline.ts';
import { OUTBOX_PREFIX } from '../../src/data/mutations/outbox-queue.ts';
import { SAVED_PREFIX } from '../../src/data/offline/eviction.ts';
import * as keys from '../../src/data/offline/keys.ts';
import { pictureKeyPrefix, postKeyOfPicture } from '../../src/data/offline/picture-keys.ts';
import { RECENT_SEARCHES_KEY } from '../../src/data/queries/search.ts';
import * as webStorageKeys from '../../src/lib/storage-keys.ts';
import { SNAPSHOT_PREFIX } from '../../src/storage/page-snapshots.ts';
import { PUSH_COUNTS_KEY, PUSH_DEVICE_KEY } from '../../src/storage/push-storage.ts';

it('keeps every key of the stored data, so that an update of the app loses no data', () => {
  const constants = Object.entries(keys).filter(([, value]) => typeof value !== 'function');
  assert.deepEqual(Object.fromEntries(constants), {
    POST_PREFIX: 'post/',
    PICTURE_PREFIX: 'picture/',
    FEED_PREFIX: 'feed/',
    CHANNEL_POSTS_PREFIX: 'posts/',
    DIRECTORY_KEY: 'channels',
    CHANNEL_PREFIX: 'channel/',
    LINEUP_KEY: 'lineup',
    MARK_PREFIX: 'mark/',
    STAR_PREFIX: 'star/',
    KEPT_UNREAD_PREFIX: 'kept-unread/',
    FIRST_SEEN_KEY: 'first-seen',
    UNREAD_KEY: 'unread',
  });
});

it('keeps the keys of the modules that load later', () => {
  assert.equal(OUTBOX_PREFIX, 'out/');
  assert.equal(PREFETCH_PREFIX, 'ahead/');
  assert.equal(SAVED_PREFIX, 'saved/');
  assert.equal(STREAM_POSITION_KEY, 'live');
  assert.equal(RECENT_SEARCHES_KEY, 'searches');
  assert.equal(SNAPSHOT_PREFIX, 'snapshot/');
  assert.deepEqual([PUSH_DEVICE_KEY, PUSH_COUNTS_KEY], ['push-device', 'push-counts']);
});

it('keeps every key of web storage, so that an update of the app keeps the choices of readers', () => {
  assert.deepEqual(Object.values(webStorageKeys).toSorted(), [
    'access_token',
    'changer_amount',
    'changer_home_screen',
    'changer_launch',
    'changer_list',
    'changer_locale',
    'changer_reader',
    'changer_readers',
    'changer_seen',
    'changer_snapshot',
    'changer_text_size',
    'changer_theme',
    'changer_token_reader',
    'channel-changer.dial-hint',
    'channel-changer.single-keys',
  ]);
});

it('builds the keys of posts, pictures, channels and first pages', () => {
  assert.equal(keys.postPrefix('7'), 'post/7/');
  assert.equal(keys.postStorageKey('7', 42), 'post/7/0000000000000042');
  assert.equal(pictureKeyPrefix('7'), 'picture/7/');
  assert.equal(pictureKeyPrefix('7', 42), 'picture/7/0000000000000042/');
  assert.equal(postKeyOfPicture('picture/7/0000000000000042/abc/99'), 'post/7/0000000000000042');
  assert.equal(keys.channelKey('news'), 'channel/news');
  assert.equal(keys.feedPageKey('all', undefined), 'feed/all/');
  assert.equal(keys.feedPageKey('media', ['1', '2']), 'feed/media/1,2');
  assert.equal(keys.channelPageKey('news', false), 'posts/news');
  assert.equal(keys.channelPageKey('news', true), 'posts/news/media');
});
