// Value types of PostgreSQL: parsers of the values in rows.

import pg from 'pg';

/** Parses the text form of a value that is not null. */
export type ValueParser = (text: string) => unknown;

/** OIDs of PostgreSQL's types. */
const BOOL = 16;
const INT8 = 20;
const NUMERIC = 1700;

// Numbers of the store are below 2^53, and true is 1, as with every engine.
const PARSERS: ReadonlyMap<number, ValueParser> = new Map<number, ValueParser>([
  [BOOL, (text) => (text === 't' ? 1 : 0)],
  [INT8, Number],
  [NUMERIC, Number],
]);

/** Returns the parser of a type. */
export const parserOf = (oid: number): ValueParser => PARSERS.get(oid) ?? pg.types.getTypeParser(oid, 'text');

/** The same parsers in the form that the driver accepts. Other users of the driver keep theirs. */
export const CUSTOM_TYPES: pg.CustomTypesConfig = { getTypeParser: parserOf as typeof pg.types.getTypeParser };
