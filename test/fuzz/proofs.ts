// Fuzz properties of signed or hashed input: access tokens of sites, and manifests of backups.

import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { createSiteKeySecrets, verifySiteGrant } from '../../server/auth/site-grants.ts';
import { createBackup } from '../../server/backup/create.ts';
import { MANIFEST_FILE, verifyBackup } from '../../server/backup/manifest.ts';
import { HttpError } from '../../server/http/errors.ts';
import { openStore } from '../../server/storage/open.ts';
import { OperationRefusedError } from '../../server/storage/transfer/tables.ts';
import { signGrant } from '../server/auth/sign-token.ts';
import { channel, message } from '../server/storage/conformance.ts';
import { orNullIfRejected, property } from './property.ts';
import { json, mutated, mutatedText, text } from './values.ts';

/** Like orRefused, for a parser that returns a promise. */
const asyncOrRefused = <Read>(promise: Promise<Read>, kind: new (...given: never[]) => Error): Promise<Read | null> =>
  promise.catch((error: unknown) =>
    orNullIfRejected(() => {
      throw error;
    }, kind),
  );

const NOW = 1_767_225_600;
const KEY = { id: 'k', origin: 'https://club.example', channels: ['7', '8'], at: NOW };
const siteKeySecrets = createSiteKeySecrets('secret');
const known = {
  siteKeySecrets,
  now: () => NOW * 1000,
  store: {
    siteKey: async (id: string) => (id === KEY.id ? KEY : null),
    channel: async (name: string) => (['7', '8', '9'].includes(name) ? channel(name) : null),
  },
};
const open = (grant: string) => asyncOrRefused(verifySiteGrant(grant, { method: 'GET', headers: {} }, known), HttpError);

const GRANT = signGrant({ id: KEY.id, secret: siteKeySecrets.secretOf(KEY.id) }, { now: NOW, channels: ['8'] });

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const signed = (header: unknown, claims: unknown): string => {
  const signedPart = `${part(header)}.${part(claims)}`;
  return `${signedPart}.${createHmac('sha256', siteKeySecrets.secretOf(KEY.id)).update(signedPart).digest('base64url')}`;
};
const HEADER = { alg: 'HS256', typ: 'JWT', kid: KEY.id };
const CLAIMS = { iat: NOW, exp: NOW + 3600, channels: ['7', '@8'] };

const tempFolder = mkdtempSync(join(tmpdir(), 'fuzz-'));
process.on('exit', () => rmSync(tempFolder, { recursive: true, force: true }));
const [dataDir, backup] = [join(tempFolder, 'data'), join(tempFolder, 'backup')];
const store = await openStore({ dataDir });
await store.putChannel(channel('1'));
await store.putMessages([message('1', 1)]);
await store.close();
const VALID_MANIFEST = await createBackup({ dataDir }, backup);

/** Properties of input that is trusted because of its signature or hash. */
export const PROOF_PROPERTIES = [
  property(
    'an access token of a site is accepted only as it was signed',
    fc.oneof(text, mutatedText(['.', '=', 'e30'], GRANT)),
    async (raw) => {
      const opened = await open(raw);
      // Base64 allows several spellings of one signature, but only one spelling of the signed content.
      if (opened !== null) assert.deepEqual([opened, raw.startsWith(GRANT.slice(0, GRANT.lastIndexOf('.') + 1))], [['8'], true]);
    },
    [GRANT],
  ),
  property(
    'an access token of a site, whatever it contains, grants only what its key allows, or nothing',
    fc.tuple(fc.oneof({ weight: 3, arbitrary: fc.constant(HEADER) }, mutated(HEADER)), fc.oneof(mutated(CLAIMS), json)),
    async ([header, claims]) => {
      for (const id of (await open(signed(header, claims))) ?? []) assert.ok(KEY.channels.includes(id), id);
    },
    [
      [HEADER, CLAIMS],
      [{ ...HEADER, kid: { toString: 1 } }, CLAIMS],
      [{ ...HEADER, kid: [KEY.id] }, CLAIMS],
    ],
  ),
  property(
    'a backup manifest is correct or rejected',
    fc.oneof(
      mutated(VALID_MANIFEST).map((value) => JSON.stringify(value)),
      mutatedText(['{', '"', ',', '../', '9', '__proto__'], JSON.stringify(VALID_MANIFEST)),
    ),
    async (manifestJson) => {
      writeFileSync(join(backup, MANIFEST_FILE), manifestJson);
      const read = await asyncOrRefused(verifyBackup(backup), OperationRefusedError);
      for (const file of read?.files ?? []) assert.deepEqual(file, VALID_MANIFEST.files[0]);
      for (const [table, rows] of Object.entries(read?.rows ?? {})) assert.equal(rows, VALID_MANIFEST.rows[table]);
    },
    [VALID_MANIFEST, { ...VALID_MANIFEST, version: { toString: 1, valueOf: 1 } }].map((value) => JSON.stringify(value)),
  ),
];
