// Media store in a folder.

import { describe } from 'node:test';
import { mediaStoreTests } from './media-store-conformance.ts';

describe('media in a folder', () => {
  mediaStoreTests(async () => ({}));
});
