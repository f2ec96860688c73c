// Compiled schemas of routes.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Type } from 'typebox';
import { compileSerializer } from '../../../server/http/schemas.ts';

const route = { method: 'GET', url: '/', httpStatus: '200' };

describe('the serializer of a response', () => {
  const schema = Type.Object({ id: Type.Integer(), name: Type.Optional(Type.String()) });

  it('contains only the declared fields', () => {
    assert.equal(compileSerializer({ ...route, schema })({ id: 1, name: 'a', secret: 'b' }), '{"id":1,"name":"a"}');
  });

  it('is compiled once for each schema, also for other routes', () => {
    const serialize = compileSerializer({ ...route, schema });
    assert.equal(compileSerializer({ ...route, url: '/other', httpStatus: '5xx', schema }), serialize);
    assert.notEqual(compileSerializer({ ...route, schema: Type.Object({}) }), serialize);
  });
});
