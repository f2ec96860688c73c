import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Renderer } from './renderer-api.ts';

/**
 * Imports the built renderer in `dist`, again after each build. Returns null without a build. A module is loaded once per
 * address, so the address contains the build time.
 */
export async function loadRenderer(dist: string): Promise<Renderer | null> {
  const file = path.join(dist, 'server/render.js');
  if (!existsSync(file)) return null;
  return import(`${pathToFileURL(file)}?${statSync(file).mtimeMs}`);
}
