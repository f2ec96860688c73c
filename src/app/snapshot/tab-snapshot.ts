import { PAGE_SNAPSHOT_KEY } from '../../lib/storage-keys.ts';
import { createStoredValue } from '../../lib/web-storage.ts';

/** Snapshot (JSON) of the last page in this tab's storage, if no service worker controls the page. */
export const tabSnapshot = createStoredValue('tab', PAGE_SNAPSHOT_KEY);
