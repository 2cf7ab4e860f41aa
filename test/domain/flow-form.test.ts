import test from 'ava'
import type { ExecutionContext } from 'ava'
import * as fc from 'fast-check'
import type { Outcome } from '../../src/domain/errors.ts'
import { checkFlowDocument, FLOW_JSON_VALUES } from '../../src/domain/flow-document.ts'
import {
  FLOW_NAME_LENGTH,
  readFlowConfirmation,
  readFlowCreation,
  readFlowDocument,
  readFlowPatch,
  readFlowSuccessor,
  readNoFields,
} from '../../src/domain/flow-form.ts'
import { jsonFaultIn } from '../../src/domain/json-fault.ts'
import { hasMoreValues } from '../../src/domain/json-values.ts'
import { FLOW_JSON_BYTES } from '../../src/domain/limits.ts'

function isRefused(t: ExecutionContext, read: Outcome<unknown>, code: string, what?: unknown): any {
  t.is(read.ok ? 'passed' : read.error.code, code, JSON.stringify(what)?.slice(0, 200))
  return read.ok ? undefined : read.error.details
}

test('five million levels are read without a stack', (t) => {
  t.deepEqual(jsonFaultIn('['.repeat(5_000_000)), { line: 1, column: 5_000_001 })
})

test('a document may be any JSON object, with a byte order mark and white space around it', (t) => {
  for (const flowJson of ['{}', '\uFEFF{"version":"7.1"}', ' \r\n{"a":"\\/ 😀"}\t\n ']) {
    for (const read of [readFlowDocument({ flowJson }), checkFlowDocument(flowJson)])
      t.is(read.ok && read.value, flowJson)
  }
})

// [flows.document.2]
test('a document that is no JSON object is refused with one fault, at its line', (t) => {
  const items: readonly [string, number, number][] = [
    ['[]', 1, 1],
    ['\n "x"', 2, 2],
    ['12', 1, 1],
    ['null', 1, 1],
    ['{\n  "a": 1,\n}', 3, 1],
    ['\uFEFF{"a"}', 1, 6],
    ['oops', 1, 1],
  ]
  for (const [flowJson, line, column] of items) {
    const [item, ...more] = isRefused(t, checkFlowDocument(flowJson), 'FLOW_JSON_INVALID', flowJson)
    t.like(item, {
      error: 'INVALID_FLOW_JSON',
      error_type: 'FLOW_JSON_ERROR',
      line_start: line,
      line_end: line,
      column_start: column,
      column_end: column,
    })
    t.is(typeof item.message, 'string')
    t.deepEqual(more, [])
  }
})

// [flows.document.1]
test('a document of 10 MB passes, one of a byte more does not, in bytes of UTF-8', (t) => {
  const sized = (bytes: number) => `{"a":"é${'x'.repeat(bytes - 10)}"}`
  t.is(Buffer.byteLength(sized(FLOW_JSON_BYTES)), FLOW_JSON_BYTES)
  t.true(checkFlowDocument(sized(FLOW_JSON_BYTES)).ok)
  isRefused(t, checkFlowDocument(sized(FLOW_JSON_BYTES + 1)), 'PAYLOAD_TOO_LARGE')
})

test('values of a document are counted before it is parsed: 100,000 pass, one more does not, whatever texts hold', (t) => {
  const list = (values: number) => `{"a": [ ${'"[,{\\",",'.repeat(values - 3)} {} ]}`
  t.true(checkFlowDocument(list(FLOW_JSON_VALUES)).ok)
  isRefused(t, checkFlowDocument(list(FLOW_JSON_VALUES + 1)), 'PAYLOAD_TOO_LARGE')
  isRefused(t, checkFlowDocument(`{"a":[${'[],'.repeat(3_333_330)}]`), 'PAYLOAD_TOO_LARGE')
})

test('as many values as JSON.parse makes are counted', (t) => {
  const valuesOf = (value: unknown): number =>
    1
    + (typeof value === 'object' && value !== null
      ? Object.values(value).reduce((sum: number, one) => sum + valuesOf(one), 0)
      : 0)
  t.notThrows(() =>
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1), (value, space) => {
        const text = JSON.stringify(value, null, space)
        const count = valuesOf(value)
        return !hasMoreValues(text, count) && (text.length <= count - 1 || hasMoreValues(text, count - 1))
      }),
    ),
  )
})

// [flows.scope.3]
test('form comes before unknown fields, and those before fields', (t) => {
  for (const body of [null, [], 'text', 7, true])
    for (const read of [
      readFlowCreation,
      readFlowPatch,
      readFlowDocument,
      readFlowConfirmation,
      readFlowSuccessor,
      readNoFields,
    ])
      isRefused(t, read(body), 'FLOW_BODY_INVALID', body)
  isRefused(t, readFlowDocument({ flowJson: {}, more: 1 }), 'FLOW_BODY_INVALID')
  t.deepEqual(isRefused(t, readFlowCreation({ name: 7, status: 'PUBLISHED', __proto_: 1 }), 'FLOW_UNKNOWN_FIELDS'), [
    'status',
    '__proto_',
  ])
  t.deepEqual(isRefused(t, readFlowPatch({ status: 'PUBLISHED' }), 'FLOW_UNKNOWN_FIELDS'), ['status'])
  t.deepEqual(isRefused(t, readFlowDocument({ x: 1 }), 'FLOW_UNKNOWN_FIELDS'), ['x'])
  t.deepEqual(isRefused(t, readNoFields({ confirm: true }), 'FLOW_UNKNOWN_FIELDS'), ['confirm'])
  t.deepEqual(isRefused(t, readFlowConfirmation({ confirm: true, flowId: 'x' }), 'FLOW_UNKNOWN_FIELDS'), ['flowId'])
})

// [flows.errors.8]
test('a name has 1 to 200 characters, none of them a control character', (t) => {
  t.true(readFlowCreation({ name: '😀'.repeat(FLOW_NAME_LENGTH) }).ok)
  for (const body of [undefined, {}, { name: null }]) isRefused(t, readFlowCreation(body), 'FLOW_NAME_REQUIRED', body)
  const bad: readonly [unknown, string][] = [
    [7, 'FORM'],
    [['a'], 'FORM'],
    ['', 'BLANK'],
    [' \t ', 'BLANK'],
    ['a'.repeat(201), 'TOO_LONG'],
    ['a\nb', 'CONTROL_CHARACTERS'],
    ['a\u0085b', 'CONTROL_CHARACTERS'],
  ]
  for (const [name, reason] of bad) {
    t.deepEqual(isRefused(t, readFlowCreation({ name }), 'FLOW_NAME_INVALID', name), { reason })
    t.deepEqual(isRefused(t, readFlowPatch({ name }), 'FLOW_NAME_INVALID', name), { reason })
  }
  isRefused(t, readFlowPatch({ name: null }), 'FLOW_NAME_INVALID')
})

// [flows.errors.9] [flows.object.7]
test('categories are a list of known ones, each once', (t) => {
  const read = readFlowCreation({ name: 'a', categories: ['SURVEY', 'OTHER'] })
  t.deepEqual(read.ok && read.value.categories, ['SURVEY', 'OTHER'])
  for (const categories of [
    null,
    'OTHER',
    {},
    [],
    ['other'],
    ['constructor'],
    ['OTHER', 'OTHER'],
    ['OTHER', 'toString'],
    [['OTHER']],
    [null],
  ]) {
    isRefused(t, readFlowCreation({ name: 'a', categories }), 'FLOW_CATEGORY_INVALID', categories)
    isRefused(t, readFlowPatch({ categories }), 'FLOW_CATEGORY_INVALID', categories)
  }
  isRefused(t, readFlowCreation({ name: '', categories: [] }), 'FLOW_NAME_INVALID')
  isRefused(t, readFlowPatch({}), 'FLOW_PATCH_EMPTY')
  isRefused(t, readFlowPatch(undefined), 'FLOW_PATCH_EMPTY')
})

// [flows.errors.13]
test('only the boolean true confirms', (t) => {
  t.true(readFlowConfirmation({ confirm: true }).ok)
  for (const body of [
    undefined,
    {},
    { confirm: 'true' },
    { confirm: 1 },
    { confirm: false },
    { confirm: null },
    { confirm: [true] },
  ])
    isRefused(t, readFlowConfirmation(body), 'FLOW_PUBLISH_REQUIRES_CONFIRMATION', body)
})

test('a document that is absent, null or blank is asked for, and one that is no text is a body of the wrong form', (t) => {
  for (const body of [undefined, {}, { flowJson: null }, { flowJson: '' }, { flowJson: ' \r\n\t' }])
    isRefused(t, readFlowDocument(body), 'FLOW_JSON_REQUIRED', body)
  for (const flowJson of [{}, [], 7, true, { version: '7.1' }])
    isRefused(t, readFlowDocument({ flowJson }), 'FLOW_BODY_INVALID', flowJson)
})

test('a source or successor is a text that says something, or null', (t) => {
  for (const body of [undefined, {}, { supersededByFlowId: null }]) {
    const read = readFlowSuccessor(body)
    t.is(read.ok && read.value, null)
  }
  for (const id of ['', ' ', 7, {}, []]) {
    isRefused(t, readFlowSuccessor({ supersededByFlowId: id }), 'FLOW_DEPRECATE_INVALID_SUCCESSOR', id)
    isRefused(t, readFlowCreation({ name: 'a', cloneFromFlowId: id }), 'FLOW_CLONE_SOURCE_INVALID', id)
  }
})
