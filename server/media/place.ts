import path from 'node:path';

/** Where a kept file lies. */
export const mediaPath = (dataDir: string, key: string): string => path.join(dataDir, 'media', key.slice(0, 2), key);
