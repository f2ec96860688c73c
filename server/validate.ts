import type { FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { Value } from 'typebox/value';

/** Checks a part of a request. Addresses hold text, so their parts are read as numbers and booleans; a body is taken as it is. */
export const validatorFor: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const compiled = Compile(schema);
  return (value: unknown) => {
    const read = httpPart === 'body' ? value : Value.Convert(schema, Value.Default(schema, value));
    return compiled.Check(read) ? { value: read } : { error: compiled.Errors(read) };
  };
};
