// Failure codes of media and feeds, and the parser of failures that older versions stored.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FEED_FAILURES, type FeedFailure, FILE_FAILURES, type FileFailure } from '../../../contract/failures.ts';
import { formatFailure, parseFeedFailure, parseFileFailure } from '../../../server/lib/failure-codes.ts';
import { FetchError } from '../../../server/sources/fetch/errors.ts';
import { FeedError } from '../../../server/sources/rss/types.ts';

/**
 * Failures as versions before the codes stored them: sentences only. A database contains such a sentence for as long as the
 * file fails.
 */
const LEGACY_FILE_FAILURES: readonly (readonly [string, FileFailure])[] = [
  ['Telegram gives bots no file as large as this', 'too-large-for-bots'],
  ['it is larger than 50 MB', 'too-large'],
  ['it is larger than files of feeds may be', 'too-large'],
  ['Telegram does not know it', 'unknown'],
  ['Telegram names it in a way that cannot be asked for', 'unknown'],
  ['Telegram could not be reached', 'unreachable'],
  ['its server cannot be reached or does not give it', 'unreachable'],
  ['the download broke off', 'broken-off'],
  ['the download stood still', 'broken-off'],
  ['BOT_TOKEN is missing', 'no-token'],
  ['Telegram refuses BOT_TOKEN', 'token-refused'],
  ['Telegram asks to wait', 'asked-to-wait'],
  ['the disk is full', 'disk-full'],
  ['it lies where nothing is fetched from', 'forbidden'],
  ['it lies outside of BOT_API_FILES', 'forbidden'],
  ['its server answers 404', 'status'],
  ["readers' feeds have their share of MEDIA_QUOTA", 'share-used'],
  ['something new', 'other'],
];
const LEGACY_FEED_FAILURES: readonly (readonly [string, FeedFailure])[] = [
  ['The feed is gone for good, says its server (410).', 'gone'],
  ["The feed's server answers 503.", 'status'],
  ['The address answers 404, and no feed.', 'status'],
  ['The answer is empty where a feed should be.', 'empty'],
  ['The feed is broken and cannot be read.', 'broken'],
  ['This is no RSS, Atom or JSON feed.', 'no-feed'],
  ['The feed takes too long to read.', 'slow-to-read'],
  ['The answer took longer than 20 seconds.', 'too-slow'],
  ['The answer is larger than 5242880 bytes.', 'too-large'],
  ['The answer broke off or cannot be unpacked.', 'torn'],
  ['The answer is packed as zstd, which was not asked for.', 'torn'],
  ['The address leads on more than 5 times.', 'redirects'],
  ['The host a.example leads from https to http, and that is not followed.', 'downgrade'],
  ['The certificate of a.example is not valid (CERT_HAS_EXPIRED).', 'certificate'],
  ['The name a.example is not known.', 'unknown-host'],
  ['The name a.example has no address.', 'unknown-host'],
  ['The host a.example is not on the public internet, and nothing is fetched from there.', 'forbidden'],
  ['Only the ports 80 and 443 are fetched from, not 8080.', 'forbidden'],
  ['Only http and https addresses are fetched, not ftp:', 'forbidden'],
  ['An address with a name or password in it is not fetched.', 'forbidden'],
  ['This is no address: x', 'forbidden'],
  ['The host a.example answers with more headers than are read.', 'headers'],
  ['The host a.example does not answer in HTTP.', 'headers'],
  ['The host a.example cannot be reached (ECONNREFUSED).', 'unreachable'],
  ['The answer is text/html, which is not what was looked for.', 'type'],
  ['something new', 'other'],
];

describe('failure codes', () => {
  it('are stored next to the sentence, so that a reworded sentence keeps its code', () => {
    for (const code of FILE_FAILURES) {
      const failure = { code, sentence: 'the download is [odd] in a way\nthat nobody knew' };
      assert.deepEqual(parseFileFailure(formatFailure(failure)), failure);
    }
    for (const code of FEED_FAILURES) {
      const failure = { code, sentence: 'Its server says so.', status: 503 };
      assert.deepEqual(parseFeedFailure(formatFailure(failure)), failure);
    }
  });

  it('exist for every file with a sentence that an earlier version stored', () => {
    assert.deepEqual(
      LEGACY_FILE_FAILURES.map(([sentence]) => [sentence, parseFileFailure(sentence).code]),
      LEGACY_FILE_FAILURES,
    );
    assert.deepEqual(parseFileFailure('its server answers 404'), {
      code: 'status',
      sentence: 'its server answers 404',
      status: 404,
    });
  });

  it('exist for every feed with a sentence that an earlier version stored', () => {
    assert.deepEqual(
      LEGACY_FEED_FAILURES.map(([sentence]) => [sentence, parseFeedFailure(sentence).code]),
      LEGACY_FEED_FAILURES,
    );
    assert.equal(parseFeedFailure("The feed's server answers 503.").status, 503);
  });

  it('are read as a sentence if they are unknown', () => {
    assert.deepEqual(parseFileFailure('[later] something new'), { code: 'other', sentence: '[later] something new' });
  });

  it('are set where the failure of a feed is created', () => {
    assert.deepEqual(new FetchError('encoding', 'Packed in a new way.').failure, {
      code: 'torn',
      sentence: 'Packed in a new way.',
    });
    assert.deepEqual(new FeedError('status', 'It answers so.', { status: 500 }).failure, {
      code: 'status',
      sentence: 'It answers so.',
      status: 500,
    });
  });
});
