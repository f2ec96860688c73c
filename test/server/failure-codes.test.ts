import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { feedFailureOf, fileFailureOf, statusIn } from '../../server/failure-codes.ts';

const SERVER = resolve(import.meta.dirname, '../../server');
const sources = ['media', 'sources/bot', 'sources/feed'].flatMap((folder) =>
  readdirSync(join(SERVER, folder)).map((name) => readFileSync(join(SERVER, folder, name), 'utf8')),
);

/** The sentences that the source of the server makes errors of, with 404 in the place of each value. */
const sentencesOf = (made: RegExp): string[] =>
  sources.flatMap((text) => [...text.matchAll(made)].map(([, sentence = '']) => sentence.replaceAll(/\$\{[^}]+\}+/g, '404')));

/** Settings that only the operator's own server can get wrong: the server's words say what to do. */
const IN_ENGLISH = /BOT_API_ROOT names places|^The channel was removed|^This feed is being removed/;

describe('Codes of failures', () => {
  it('are there for every sentence by which a file fails', () => {
    const sentences = sentencesOf(/new SourceProblem\('[\w-]+', [`']([^`']+)[`']/g);
    assert.ok(sentences.length > 10, String(sentences.length));
    const without = sentences.filter((sentence) => fileFailureOf(sentence) === 'other' && !IN_ENGLISH.test(sentence));
    assert.deepEqual(without, []);
    assert.deepEqual([fileFailureOf('the disk is full'), fileFailureOf('something new')], ['disk-full', 'other']);
  });

  it('are there for every sentence by which a feed fails', () => {
    const sentences = [
      ...sentencesOf(/new (?:FeedUnreadable|FetchRefused)\((?:'[\w-]+', )?[`']([^`']+)[`']/g),
      ...sentencesOf(/refuse\('[\w-]+', [`']([^`]+?)[`']\)/g),
    ];
    assert.ok(sentences.length > 15, String(sentences.length));
    const without = sentences.filter((sentence) => feedFailureOf(sentence) === 'other' && !IN_ENGLISH.test(sentence));
    assert.deepEqual(without, []);
    assert.deepEqual([statusIn("The feed's server answers 503."), statusIn('The answer is empty')], [503, undefined]);
  });
});
