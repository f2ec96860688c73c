import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Renderer } from './renderer-api.ts';

/**
 * Loader of the server-side renderer: imports the built module in `dist`, again after each build. Returns null without
 * a build. Node loads a module once per URL, so the URL contains the build time.
 */
export async function loadRenderer(dist: string): Promise<Renderer | null> {
  const rendererFile = path.join(dist, 'server/render.js');
  if (!existsSync(rendererFile)) return null;
  return import(`${pathToFileURL(rendererFile)}?${statSync(rendererFile).mtimeMs}`);
}
