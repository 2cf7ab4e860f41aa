import test from 'ava'
import { decideFlowNews, flowNewsOf } from '../../src/domain/flow-events.ts'
import { checkFlowDocument, isLargeDocument } from '../../src/domain/flow-document.ts'
import { readFlowCreation, readFlowDocument, readFlowPatch, readNoFields } from '../../src/domain/flow-form.ts'
import { flowMessage, flowSendRefusal, SENDABLE } from '../../src/domain/flow-message.ts'
import { FLOW_REFUSALS, refuseFlow, showFlowRefusal } from '../../src/domain/flow-refusals.ts'
import {
  flowCategoriesOf,
  flowHealthOf,
  flowRefusalOf,
  flowStatusOf,
  isOfState,
  mayBeTaken,
} from '../../src/domain/flow-upstream.ts'
import { FLOW_CATEGORIES, FLOW_HEALTHS, FLOW_STATUSES } from '../../src/domain/flow.ts'
import type { FlowStatus } from '../../src/domain/flow.ts'
import { FLOW_JSON_BYTES } from '../../src/domain/limits.ts'

test("upstream's words are ours, and unknown ones are said to be", (t) => {
  for (const status of FLOW_STATUSES) t.is(flowStatusOf(status), status)
  t.is(flowStatusOf('draft'), null)
  for (const health of FLOW_HEALTHS) t.is(flowHealthOf(health), health)
  t.is(flowHealthOf('SICK'), 'UNKNOWN')
  t.deepEqual(flowCategoriesOf(FLOW_CATEGORIES), [...FLOW_CATEGORIES])
  t.deepEqual(flowCategoriesOf([]), ['OTHER'])
  t.deepEqual(flowCategoriesOf(['ODD', 'SURVEY', 'SURVEY', 'ODDER']), ['OTHER', 'SURVEY'])
})

test('codes tell whether the state forbids a write, and whether a name may be taken', (t) => {
  for (const code of [139_001, 139_002, 139_003, 139_004]) t.true(isOfState(code))
  for (const code of [139_000, 139_005, 100, null]) t.false(isOfState(code))
  t.deepEqual([100, 139_001, null].map(mayBeTaken), [true, false, false])
})

test("a refusal has upstream's words, or says that there are none", (t) => {
  t.deepEqual(flowRefusalOf({ upstreamCode: 139_006, upstreamMessage: 'No' }), {
    code: 'OFFICIAL_REQUEST_REFUSED',
    message: 'No',
    details: { upstreamCode: 139_006, upstreamMessage: 'No' },
  })
  t.is(flowRefusalOf({ upstreamCode: null, upstreamMessage: '' }).message, 'The official platform refused the request.')
})

// [flows.upstream.7]
test('news name a Flow by digits, and have a status only where it is told', (t) => {
  const status = (value: object) => flowNewsOf({ event: 'FLOW_STATUS_CHANGE', flow_id: '17', ...value })
  t.deepEqual(status({ new_status: 'published' }), { externalId: '17', status: 'PUBLISHED' })
  t.deepEqual(status({ flow_id: 17, event: 'flow_status_change', new_status: 'BLOCKED' }), {
    externalId: '17',
    status: 'BLOCKED',
  })
  t.deepEqual(status({}), { externalId: '17', status: null })
  t.deepEqual(status({ new_status: 'NOVEL' }), { externalId: '17', status: null })
  t.deepEqual(flowNewsOf({ flow_id: '17', new_status: 'BLOCKED' }), { externalId: '17', status: null })
  t.is(status({ flow_id: '9'.repeat(64) })?.externalId, '9'.repeat(64))
  for (const flow_id of ['9'.repeat(65), 'x17', '17x', 2 ** 53, '', null, undefined]) t.is(status({ flow_id }), null)
})

// [flows.upstream.9]
test('news are applied by their time; what either side may have changed last is read', (t) => {
  const decide = (status: FlowStatus | null, at: number, officialStatus: FlowStatus, statusAt: number | null) =>
    decideFlowNews({ externalId: '17', status }, new Date(at), {
      officialStatus,
      statusAt: statusAt === null ? null : new Date(statusAt),
    })
  t.is(decide(null, 1, 'DRAFT', null), 'REREAD')
  t.is(decide('PUBLISHED', 1, 'DRAFT', 2), 'NONE', 'older')
  t.is(decide('BLOCKED', 1, 'BLOCKED', null), 'CHANGE', 'its time is kept')
  t.is(decide('DRAFT', 3, 'PUBLISHED', 2), 'REREAD', 'a Flow never becomes a draft again')
  t.is(decide('BLOCKED', 3, 'DEPRECATED', 2), 'REREAD')
  t.is(decide('BLOCKED', 1, 'DRAFT', null), 'CHANGE')
  t.is(decide('DEPRECATED', 1, 'BLOCKED', null), 'CHANGE')
  t.is(decide('BLOCKED', 3, 'PUBLISHED', 2), 'CHANGE')
  t.is(decide('BLOCKED', 2, 'PUBLISHED', 2), 'DOUBT')
  t.is(decide('BLOCKED', 1, 'PUBLISHED', null), 'DOUBT')
})

test('a document is large from 32,769 characters on, and refused for what it holds', (t) => {
  t.deepEqual(
    [32_768, 32_769].map((length) => isLargeDocument('x'.repeat(length))),
    [false, true],
  )
  const refusalOf = (text: string) => {
    const checked = checkFlowDocument(text)
    return checked.ok ? null : [checked.error.code, checked.error.message]
  }
  t.deepEqual(refusalOf(' '.repeat(FLOW_JSON_BYTES + 1)), [
    'PAYLOAD_TOO_LARGE',
    `flowJson is over ${FLOW_JSON_BYTES} bytes`,
  ])
  t.deepEqual(refusalOf(`[${'1,'.repeat(100_000)}1]`), ['PAYLOAD_TOO_LARGE', 'flowJson holds more than 100000 values'])
  const itemsOf = (text: string) => {
    const checked = checkFlowDocument(text)
    return checked.ok ? null : checked.error.details
  }
  const at = { error: 'INVALID_FLOW_JSON', error_type: 'FLOW_JSON_ERROR', line_start: 1, line_end: 1 }
  t.deepEqual(itemsOf('[]'), [
    { ...at, message: 'The document must be a JSON object.', column_start: 1, column_end: 1 },
  ])
  t.deepEqual(itemsOf('{"a"'), [
    {
      ...at,
      message: 'The document is no JSON: reading it failed at line 1, column 5.',
      column_start: 5,
      column_end: 5,
    },
  ])
})

// [flows.sending.4] [flows.sending.5]
test('a Flow is sent in three of its states, once upstream has it', (t) => {
  const flow = (officialStatus: FlowStatus, officialFlowId: string | null = '7') => ({
    id: 'flow_1' as const,
    officialFlowId,
    officialStatus,
  })
  for (const status of FLOW_STATUSES)
    t.is(flowSendRefusal(flow(status))?.code ?? null, SENDABLE.includes(status) ? null : 'FLOW_NOT_SENDABLE')
  t.is(flowSendRefusal(null)?.code, 'FLOW_NOT_FOUND')
  t.like(flowSendRefusal(flow('BLOCKED')), {
    message: 'The Flow is BLOCKED: send another one',
    details: { officialStatus: 'BLOCKED' },
  })
  t.like(flowSendRefusal(flow('DRAFT', null)), {
    message: 'The Flow has not reached the official platform yet. Try again.',
    details: { officialStatus: 'DRAFT' },
  })
  t.is(flowMessage(flow('DRAFT', null), {} as never, 'token'), null)
})

// [flows.errors.1]
test('a refusal is shown in both languages, under the code of Flows', (t) => {
  const { pt, en } = FLOW_REFUSALS.FLOW_NAME_INVALID
  t.deepEqual(refuseFlow('FLOW_NAME_INVALID', { reason: 'BLANK' }, 'it is blank'), {
    code: 'FLOW_NAME_INVALID',
    message: `${en}: it is blank`,
    details: { reason: 'BLANK' },
  })
  t.is(refuseFlow('FLOW_NAME_INVALID').message, en)
  const shown = (code: Parameters<typeof showFlowRefusal>[0]['code'], message: string) =>
    showFlowRefusal({ code, message })
  t.deepEqual(shown('FLOW_NAME_INVALID', `${en}: it is blank`), {
    code: 'FLOW_NAME_INVALID',
    pt,
    en: `${en}: it is blank`,
    under: 'details',
  })
  t.is(shown('FLOW_NAME_INVALID', 'Something else').en, en)
  t.like(shown('INVALID_JSON', 'No JSON'), { code: 'FLOW_BODY_INVALID', en: FLOW_REFUSALS.FLOW_BODY_INVALID.en })
  t.is(shown('FLOW_UNKNOWN_FIELDS', 'a').under, 'unknownFields')
  t.is(shown('FLOW_JSON_INVALID', 'a').under, 'validationErrors')
  t.deepEqual(shown('BUSY', 'Too many'), {
    code: 'BUSY',
    pt: 'O serviço está ocupado; tente novamente',
    en: 'Too many',
    under: 'details',
  })
  t.is(shown('TEMPLATE_NOT_FOUND', 'No such template').pt, 'A requisição foi recusada')
})

test('every refusal that a route of Flows may answer is told in Portuguese of its own', (t) => {
  const common = [
    'VALIDATION',
    'UNAUTHENTICATED',
    'TENANT_SCOPE_NOT_ALLOWED',
    'NUMBER_SCOPE_NOT_ALLOWED',
    'PERMISSION_DENIED',
    'NUMBER_NOT_FOUND',
    'ROUTE_NOT_FOUND',
    'METHOD_NOT_ALLOWED',
    'PAYLOAD_TOO_LARGE',
    'UNSUPPORTED_MEDIA_TYPE',
    'RATE_LIMITED',
    'IDEMPOTENCY_KEY_REUSED',
    'IDEMPOTENCY_IN_PROGRESS',
    'INVALID_DATE_RANGE',
    'OFFICIAL_CREDENTIALS_REJECTED',
    'OFFICIAL_REQUEST_REFUSED',
    'OFFICIAL_THROTTLED',
    'OFFICIAL_ERROR',
    'UNAVAILABLE',
    'BUSY',
    'TIMEOUT',
  ] as const
  const texts = common.map((code) => showFlowRefusal({ code, message: 'In English' }).pt)
  t.is(new Set(texts).size, common.length)
  t.false(texts.some((text) => text.trim() === '' || text === 'A requisição foi recusada'))
})

test('a body of a Flow that cannot be read says what is wrong with it', (t) => {
  const said = (read: { readonly ok: boolean }) =>
    (read as { readonly error?: { readonly message: string } }).error?.message ?? null
  const more = (code: keyof typeof FLOW_REFUSALS, text: string) => `${FLOW_REFUSALS[code].en}: ${text}`
  t.is(said(readFlowDocument({ flowJson: 7 })), more('FLOW_BODY_INVALID', 'flowJson must be a string'))
  t.is(said(readFlowCreation([])), more('FLOW_BODY_INVALID', 'send a JSON object'))
  const many = Object.fromEntries(Array.from({ length: 6 }, (_, n) => [`odd${n}`, 1]))
  t.is(said(readFlowCreation(many)), more('FLOW_UNKNOWN_FIELDS', 'odd0, odd1, odd2, odd3, odd4'))
  t.is(said(readFlowCreation({ ['x'.repeat(300)]: 1 })), more('FLOW_UNKNOWN_FIELDS', 'x'.repeat(200)))
  t.is(said(readFlowCreation({ name: 7 })), more('FLOW_NAME_INVALID', 'it must be a text'))
  t.is(said(readFlowPatch({ name: null })), more('FLOW_NAME_INVALID', 'it must be a text'))
  t.is(said(readFlowCreation({ name: ' ' })), more('FLOW_NAME_INVALID', 'it is blank'))
  t.is(said(readFlowCreation({ name: 'x'.repeat(201) })), more('FLOW_NAME_INVALID', 'it has more than 200 characters'))
  t.is(said(readFlowCreation({ name: 'a\u0007' })), more('FLOW_NAME_INVALID', 'it has control characters'))
  const named = (categories: unknown) => said(readFlowCreation({ name: 'Book', categories }))
  t.is(named([]), more('FLOW_CATEGORY_INVALID', 'send a list of at least one'))
  t.is(named(['ODD']), more('FLOW_CATEGORY_INVALID', `each once, of ${FLOW_CATEGORIES.join(', ')}`))
  t.is(said(readFlowPatch({})), FLOW_REFUSALS.FLOW_PATCH_EMPTY.en)
  t.is(said(readFlowPatch({ name: 'Book' })), null)
  t.is(said(readFlowPatch({ categories: ['SURVEY'] })), null)
  t.is(said(readNoFields(undefined)), null)
  t.is(said(readNoFields({ odd: 1 })), more('FLOW_UNKNOWN_FIELDS', 'odd'))
})
