import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Renderer } from './renderer-api.ts';

/** Gives the built renderer under `dist`, anew whenever it was built; null without a build. A module is read once for each address. */
export async function readRenderer(dist: string): Promise<Renderer | null> {
  const place = path.join(dist, 'server/render.js');
  if (!existsSync(place)) return null;
  return import(`${pathToFileURL(place)}?${statSync(place).mtimeMs}`);
}
