import type { FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { Value } from 'typebox/value';

/**
 * Checks a part of a request. Addresses hold text, so their parts are read as numbers and booleans. A body is taken as it is, less
 * what its schema does not know: nobody checked that, and it would be kept.
 */
export const validatorFor: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const compiled = Compile(schema);
  return (value: unknown) => {
    const read = httpPart === 'body' ? value : readAddress(schema, value);
    if (!compiled.Check(read)) return { error: compiled.Errors(read) };
    return { value: httpPart === 'body' ? Value.Clean(schema, read) : read };
  };
};

/** TypeBox cuts 1.5 to 1 and takes `true` for 1: a number that is not written as told stays text, which the schema refuses. */
function readAddress(schema: TSchema, value: unknown): unknown {
  const given = Object.entries({ ...Object(Value.Default(schema, value)) });
  const read: Record<string, unknown> = { ...Object(Value.Convert(schema, Object.fromEntries(given))) };
  for (const [name, told] of given) if (typeof read[name] === 'number' && String(read[name]) !== String(told)) read[name] = told;
  return read;
}
