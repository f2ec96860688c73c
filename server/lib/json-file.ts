import { existsSync, readFileSync } from 'node:fs';
import { type Static, type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';

/**
 * JSON file: reads the entries, by name, that previous starts recorded. Returns no entries if the file is damaged; the
 * only effect is that the recorded files are retained longer.
 */
export function readJsonRegistry<Entry extends TSchema>(filePath: string, entry: Entry): Readonly<Record<string, Static<Entry>>> {
  if (!existsSync(filePath)) return {};
  const raw: unknown = parseJson(readFileSync(filePath, 'utf8'));
  return Value.Check(Type.Record(Type.String(), entry), raw) ? raw : {};
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
