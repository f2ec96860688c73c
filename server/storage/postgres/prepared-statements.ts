// Prepared statements: the translated text and the name of each statement of the store. Their number is limited.

import { createHash } from 'node:crypto';
import { toPostgresSql } from './dialect.ts';

/** A statement with `$1` for its values. A statement without a name is planned at each execution. */
export interface NamedStatement {
  readonly text: string;
  readonly name?: string;
}

/**
 * Maximum number of named statements. Each connection of the server keeps their plans, so the texts of a process must
 * not become more and more. The store has about 250.
 */
const MAX_NAMED_STATEMENTS = 600;

/** Length of a name: 96 bits of the hash of the text. */
const NAME_LENGTH = 16;

const statements = new Map<string, NamedStatement>();

/**
 * Returns whether a statement may be prepared. A generic plan for any search terms would read the complete index, so
 * searches are planned each time.
 */
const isPreparable = (text: string): boolean => !text.includes('@@');

/** Translates a statement of the store, and names it by its text. Statements above the limit get no name. */
export const prepareStatement = (text: string): NamedStatement => {
  const known = statements.get(text);
  if (known !== undefined) return known;
  const translated = toPostgresSql(text);
  if (!isPreparable(text) || statements.size >= MAX_NAMED_STATEMENTS) return { text: translated };
  const statement = { text: translated, name: createHash('sha256').update(translated).digest('base64url').slice(0, NAME_LENGTH) };
  statements.set(text, statement);
  return statement;
};
