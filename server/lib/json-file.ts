import { existsSync, readFileSync } from 'node:fs';
import { type Static, type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';

/** Reads what former starts wrote down of each name, as JSON; of a torn ledger nothing, so that what it tells of only stays longer. */
export function readLedger<Entry extends TSchema>(place: string, entry: Entry): Readonly<Record<string, Static<Entry>>> {
  if (!existsSync(place)) return {};
  const raw: unknown = parse(readFileSync(place, 'utf8'));
  return Value.Check(Type.Record(Type.String(), entry), raw) ? raw : {};
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
