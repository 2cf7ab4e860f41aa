import test from 'ava'
import { openApiFaults } from '../../tools/compatibility/documents.ts'
import { schemaFaults, type Schema, type Side } from '../../tools/compatibility/schema.ts'

function faults(before: Schema, after: Schema, side: Side): string[] {
  const parts = new Map()
  return schemaFaults(before, after, 'x', { before: parts, after: parts, side, open: new Set() }).map(
    ({ at, what }) => `${at} ${what}`,
  )
}

const text = { type: 'string' }
const object = (properties: Record<string, Schema>, required: string[] = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
})
const orNull = (schema: Schema) => ({ anyOf: [schema, { type: 'null' }] })

// [clients.compatible.2]
test('what clients read may grow, and loses nothing', (t) => {
  const cases: readonly (readonly [Schema, Schema, string[]])[] = [
    [object({ a: text }), object({ a: text, b: text }), []],
    [object({ a: text, b: text }), object({ a: text }), ['x.b is gone']],
    [object({ a: text }), object({ a: text }, []), ['x.a may be absent now']],
    [object({ a: text }), object({ a: orNull(text) }), ['x.a is null, was string']],
    [object({ a: orNull(text) }), object({ a: text }), []],
    [object({ a: text }), object({ a: { type: 'integer' } }), ['x.a is integer, was string']],
    [{ type: 'number' }, { type: 'integer' }, []],
    [{ type: 'integer' }, { type: 'number' }, ['x is number, was integer']],
    [{ type: 'string', enum: ['a'] }, { type: 'string', enum: ['a', 'b'] }, []],
    [{ type: 'string', const: 'a' }, { type: 'string', const: 'b' }, ['x is no longer a']],
    [{ type: 'array', items: object({ a: text }) }, { type: 'array', items: object({}) }, ['x[].a is gone']],
    [{ type: ['string', 'null'] }, orNull(text), []],
    [{ oneOf: [object({ a: text }), object({ b: text })] }, object({ b: text }), ['x.a is gone']],
    [{ oneOf: [object({ a: text }), object({ a: text, b: text })] }, object({ a: text }), ['x.b is gone']],
    [object({ b: text }), { oneOf: [object({ b: text }), text] }, ['x is string, was object']],
    [{ allOf: [object({ a: text }), object({ b: text })] }, object({ a: text, b: text }), []],
  ]
  for (const [before, after, expected] of cases)
    t.deepEqual(faults(before, after, 'read'), expected, JSON.stringify(after))
})

// [clients.compatible.3]
test('what clients write is taken as before, and nothing more is demanded', (t) => {
  const cases: readonly (readonly [Schema, Schema, string[]])[] = [
    [object({ a: text }), object({ a: text, b: text }, ['a']), []],
    [object({ a: text }), object({ a: text, b: text }), ['x.b is required now']],
    [object({ a: text }, []), object({ a: text }), ['x.a is required now']],
    [object({ a: text, b: text }), object({ a: text }), ['x.b is gone']],
    [orNull(text), text, ['x is string, was null']],
    [text, orNull(text), []],
    [{ type: 'string', enum: ['a', 'b'] }, { type: 'string', enum: ['a'] }, ['x no longer takes b']],
    [{ type: 'string', enum: ['a'] }, { type: 'string', enum: ['a', 'b'] }, []],
    [text, { type: 'string', enum: ['a'] }, ['x takes a alone']],
    [{ ...text, maxLength: 9 }, { ...text, maxLength: 8 }, ['x maxLength is 8, was 9']],
    [text, { ...text, maxLength: 8 }, ['x maxLength is 8, was none']],
    [{ ...text, minLength: 1 }, text, []],
    [{ ...text, minLength: 1 }, { ...text, minLength: 2 }, ['x minLength is 2, was 1']],
    [text, { ...text, pattern: 'a' }, ['x has another pattern']],
    [{ type: 'integer' }, { type: 'number' }, []],
  ]
  for (const [before, after, expected] of cases)
    t.deepEqual(faults(before, after, 'written'), expected, JSON.stringify(after))
})

test('a schema that holds itself is compared once', (t) => {
  const $ref = '#/components/schemas/Tree'
  const tree = object({ children: { type: 'array', items: { $ref } } })
  const parts = {
    before: new Map([[$ref, object({ ...tree.properties, name: text })]]),
    after: new Map([[$ref, tree]]),
  }
  t.deepEqual(schemaFaults({ $ref }, { $ref }, 'x', { ...parts, side: 'read', open: new Set() }), [
    { at: 'x.name', what: 'is gone' },
  ])
})

// [clients.compatible.1]
test('operations keep their path, their name, their callers, their parameters and their answers', (t) => {
  const operation = {
    operationId: 'listCalls',
    security: [{ apiKey: [] }, { accessToken: ['calls:read'] }],
    parameters: [{ name: 'limit', in: 'query', schema: text }],
    requestBody: { required: false, content: { 'application/json': { schema: text } } },
    responses: { 200: { content: { 'application/json': { schema: text } } } },
  }
  const changed = (fields: object) => {
    const one = (get: object): any => ({ paths: { '/v1/calls': { get } }, components: { schemas: {} } })
    return openApiFaults(one(operation), one({ ...operation, ...fields })).map(({ at, what }) => `${at} ${what}`)
  }
  t.deepEqual(changed({}), [])
  t.deepEqual(
    openApiFaults(
      { paths: { '/a': { get: operation } }, components: { schemas: {} } },
      { paths: {}, components: { schemas: {} } },
    ),
    [{ at: 'GET /a', what: 'is gone' }],
  )
  t.deepEqual(changed({ operationId: 'calls' }), ['GET /v1/calls is calls, was listCalls'])
  t.deepEqual(changed({ security: [{ apiKey: [] }] }), [
    'GET /v1/calls no longer opens to {"accessToken":["calls:read"]}',
  ])
  t.deepEqual(changed({ security: [] }), [])
  t.deepEqual(changed({ parameters: [] }), ['GET /v1/calls query limit is gone'])
  t.deepEqual(
    changed({ parameters: [...operation.parameters, { name: 'to', in: 'query', required: true, schema: text }] }),
    ['GET /v1/calls query to is required now'],
  )
  t.deepEqual(changed({ requestBody: { ...operation.requestBody, required: true } }), [
    'GET /v1/calls body is required now',
  ])
  t.deepEqual(changed({ responses: {} }), ['GET /v1/calls 200 is gone'])
  t.deepEqual(changed({ responses: { 200: { content: { 'text/plain': { schema: text } } } } }), [
    'GET /v1/calls 200 no longer is application/json',
  ])
})
