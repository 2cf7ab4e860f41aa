import test from 'ava'
import type { ExecutionContext } from 'ava'
import * as fc from 'fast-check'
import type { TemplatesPort, TemplateSubmission } from '../../../../src/ports/official/templates.ts'
import type { UpstreamWrite } from '../../../../src/ports/official/write.ts'
import { templatesOps } from '../../../../src/providers/official/ops/templates.ts'
import { FakeClock } from '../../../helpers/fake-clock.ts'
import { until } from '../../../helpers/until.ts'
import { CREDENTIALS, graphError, PATIENT, rig } from '../scripted-graph.ts'
import type { Asked, RigOptions, Scripted } from '../scripted-graph.ts'

const AT = '/2002/message_templates'
const ID = '12345678901234567890'
const FIELDS = 'id,name,language,status,category,correct_category,rejected_reason,quality_score,parameter_format,components'
const BODY = { type: 'BODY', text: 'Order {{1}} is on its way', example: { body_text: [['17']] } }
const SUBMISSION: TemplateSubmission = {
  name: 'order_sent', language: 'pt_BR', category: 'UTILITY', components: [BODY], parameterFormat: 'POSITIONAL', displayFormat: null,
}
const SHOWN = {
  id: ID, name: 'order_sent', language: 'pt_BR', status: 'APPROVED', category: 'UTILITY', rejected_reason: 'NONE', quality_score: { score: 'GREEN', date: 1_752_583_107 },
  parameter_format: 'POSITIONAL', components: [BODY],
}
const TEMPLATE = {
  externalId: ID, name: 'order_sent', language: 'pt_BR', status: 'APPROVED', category: 'UTILITY', correctCategory: null, rejectedReason: null, quality: 'GREEN',
  parameterFormat: 'POSITIONAL', components: [BODY],
}

async function opened(t: ExecutionContext, options: RigOptions = {}) {
  const { server, graph } = await rig(t, options)
  return { server, templates: templatesOps(graph, CREDENTIALS) }
}

test('a template is created as it is submitted, with the id whole and upstream’s words', async (t) => {
  const { server, templates } = await opened(t)
  server.on(`POST ${AT}`, { text: `{"id":${ID},"status":"pending","category":"MARKETING"}` })
  t.deepEqual(await templates.create(SUBMISSION), { kind: 'done', value: { externalId: ID, status: 'PENDING', category: 'MARKETING' } })
  const [asked] = server.asked
  t.deepEqual(asked?.body, { name: 'order_sent', language: 'pt_BR', category: 'UTILITY', parameter_format: 'POSITIONAL', components: [BODY] })
  t.is(asked?.headers.authorization, `Bearer ${CREDENTIALS.accessToken}`)
  server.on(`POST ${AT}`, { json: { id: ID } })
  t.deepEqual(await templates.create({ ...SUBMISSION, displayFormat: 'ORDER_DETAILS' }), { kind: 'done', value: { externalId: ID, status: null, category: null } })
  t.like(server.asked[1]?.body, { display_format: 'ORDER_DETAILS' })
})

test('an edit goes to the template, with its category only when it changes', async (t) => {
  const { server, templates } = await opened(t)
  server.on(`POST /${ID}`, { json: { success: true } }, { json: { success: true, id: ID, name: 'order_sent', category: 'UTILITY' } })
  t.deepEqual(await templates.edit(ID, { components: [BODY], parameterFormat: 'NAMED', category: null }), { kind: 'done', value: null })
  t.deepEqual(await templates.edit(ID, { components: [BODY], parameterFormat: 'POSITIONAL', category: 'MARKETING' }), { kind: 'done', value: null })
  t.deepEqual(server.asked.map(({ body }) => body), [
    { components: [BODY], parameter_format: 'NAMED' }, { components: [BODY], parameter_format: 'POSITIONAL', category: 'MARKETING' },
  ])
})

test('one language of a template is removed, by its id and name', async (t) => {
  const { server, templates } = await opened(t)
  server.on(`DELETE ${AT}`, { json: { success: true } }, { json: { success: false } })
  t.deepEqual(await templates.remove(ID, 'order_sent'), { kind: 'done', value: null })
  t.deepEqual(server.asked.map(({ query, sent }) => [query, sent.length]), [[{ hsm_id: ID, name: 'order_sent' }, 0]])
  t.like(await templates.remove(ID, 'order_sent'), { kind: 'refused', no: { upstreamCode: null, upstreamSubcode: null } })
})

const WRITES: readonly (readonly [name: string, at: string, write: (templates: TemplatesPort) => Promise<UpstreamWrite<unknown>>])[] = [
  ['a creation', `POST ${AT}`, (templates) => templates.create(SUBMISSION)],
  ['an edit', `POST /${ID}`, (templates) => templates.edit(ID, { ...SUBMISSION, category: null })],
  ['a deletion', `DELETE ${AT}`, (templates) => templates.remove(ID, 'order_sent')],
]

const CAME_TO: readonly (readonly [what: string, answer: Scripted, kind: UpstreamWrite<unknown>['kind']])[] = [
  ...[3, 10, 100, 190, 192, 200, 299, 368, 131_008, 131_037].map((code) => [`code ${code}`, graphError(code), 'refused'] as const),
  ['a missing permission at HTTP 500', graphError(3, 500), 'refused'],
  ['an error without a code', { status: 400, json: { error: { message: 'No' } } }, 'refused'],
  ['success: false', { json: { success: false } }, 'refused'],
  ...[4, 613, 80_007, 80_008, 130_429].map((code) => [`throttling ${code}`, graphError(code, code === 613 ? 429 : 400, { is_transient: code === 4 }), 'unsent'] as const),
  ['HTTP 429 without an error', { status: 429, text: '<html>' }, 'unsent'],
  ['code 1', graphError(1), 'unknown'],
  ['code 2', graphError(2, 503), 'unknown'],
  ['a refusal that is transient', graphError(100, 400, { is_transient: true }), 'unknown'],
  ['a refusal at HTTP 500', graphError(100, 500), 'unknown'],
  ['a fault without a code', { status: 500, json: { error: { message: 'No' } } }, 'unknown'],
  ['a page of a proxy', { status: 502, text: '<html>' }, 'unknown'],
  ['an answer that is cut', { text: '{"id":"1' }, 'unknown'],
  ['an answer that says nothing', { json: {} }, 'unknown'],
  ['an id that is none', { json: { id: 'x' } }, 'unknown'],
  ['a redirect', { status: 302, text: '' }, 'unknown'],
  ['a broken connection', 'drop', 'unknown'],
]

for (const [name, at, write] of WRITES) {
  test(`${name} is asked for once, and what it came to follows from the answer`, async (t) => {
    const { server, templates } = await opened(t)
    for (const [what, answer, kind] of CAME_TO) {
      server.asked.length = 0
      server.on(at, answer)
      t.is((await write(templates)).kind, kind, what)
      t.is(server.asked.length, 1, what)
    }
  })
}

test('a write that nobody answers in time is unknown', async (t) => {
  const clock = new FakeClock()
  const { server, templates } = await opened(t, { clock })
  server.on(`POST ${AT}`, 'silence')
  const creating = templates.create(SUBMISSION)
  await until('it is asked', () => server.asked.length === 1)
  clock.advance(10_000)
  t.like(await creating, { kind: 'unknown', refusal: { code: 'OFFICIAL_ERROR' } })
})

test('a write that never left is unsent: nobody listens, or too many wait', async (t) => {
  const { server, templates } = await opened(t, { tuning: { inFlight: 1, waiting: 0 } })
  server.hold()
  server.on(`POST ${AT}`, { json: { id: ID } })
  const first = templates.create(SUBMISSION)
  await until('the first is under way', () => server.asked.length === 1)
  t.like(await templates.create(SUBMISSION), { kind: 'unsent', refusal: { code: 'BUSY' } })
  server.release()
  t.like(await first, { kind: 'done' })
  await server.stop()
  t.like(await templates.create(SUBMISSION), { kind: 'unsent', refusal: { code: 'OFFICIAL_ERROR' } })
})

test('a refusal is told in the words for people, with its codes and without the token', async (t) => {
  const { server, templates } = await opened(t)
  server.on(`POST ${AT}`, graphError(100, 400, {
    message: 'Invalid parameter', error_subcode: 2_388_299, error_user_title: 'Title', error_user_msg: `Not at the edge (${CREDENTIALS.accessToken})`, error_data: '{"blame":1}',
  }))
  t.deepEqual(await templates.create(SUBMISSION), {
    kind: 'refused', no: { upstreamCode: 100, upstreamSubcode: 2_388_299, upstreamMessage: 'Not at the edge (***): {"blame":1}' },
  })
})

test('a template is read with the fields that are needed, however upstream writes them', async (t) => {
  const { server, templates } = await opened(t)
  server.on(`GET /${ID}`, { json: SHOWN })
  t.deepEqual(await templates.read(ID), { ok: true, value: TEMPLATE } as never)
  t.deepEqual(server.asked[0]?.query, { fields: FIELDS })
  const shown: readonly (readonly [more: object, expected: object])[] = [
    [{ parameter_format: 'named', status: 'Paused', rejected_reason: 'SCAM' }, { parameterFormat: 'NAMED', status: 'PAUSED', rejectedReason: 'SCAM' }],
    [{ quality_score: 'yellow', correct_category: 'marketing' }, { quality: 'YELLOW', correctCategory: 'MARKETING' }],
    [{ quality_score: { score: 'PURPLE' } }, { quality: 'UNKNOWN' }],
    [{ quality_score: null, rejected_reason: null, parameter_format: undefined, components: null }, { quality: null, rejectedReason: null, parameterFormat: 'POSITIONAL', components: [] }],
    [{ status: '', category: 7 }, { status: 'UNKNOWN' }],
  ]
  for (const [more, expected] of shown) {
    server.on(`GET /${ID}`, { json: { ...SHOWN, ...more } })
    t.like(await templates.read(ID), { ok: true, value: expected } as never)
  }
  server.on(`GET /${ID}`, { text: `{"id":${ID},"name":"n","language":"en","components":[{"type":"BUTTONS","buttons":[{"type":"FLOW","flow_id":98765432109876543210}]}]}` })
  t.like(await templates.read(ID), { value: { externalId: ID, components: [{ type: 'BUTTONS', buttons: [{ type: 'FLOW', flow_id: '98765432109876543210' }] }] } } as never)
})

test('what upstream does not show is null, and what cannot be told is a refusal', async (t) => {
  const { server, templates } = await opened(t)
  for (const answer of [graphError(100, 400, { error_subcode: 33 }), graphError(803, 404), { status: 404, text: '' }]) {
    server.on(`GET /${ID}`, answer)
    t.deepEqual(await templates.read(ID), { ok: true, value: null })
  }
  for (const answer of [graphError(100), graphError(190, 401), { json: { id: ID, name: 'order_sent' } }, { json: { id: 'x', name: 'n', language: 'en' } }] as const) {
    server.on(`GET /${ID}`, answer)
    t.false((await templates.read(ID)).ok)
  }
})

/** An account that is listed `pageSize` at a time, its cursors the number of the next item; the filter finds parts of names. */
function listing(items: readonly Readonly<Record<string, unknown>>[], pageSize: number): (asked: Asked) => { json: unknown } {
  return ({ query }) => {
    const found = items.filter(({ name }) => String(name).includes(query['name'] ?? ''))
    const from = Number(query['after'] ?? 0)
    const to = Math.min(from + Math.min(pageSize, Number(query['limit'])), found.length)
    const paging = { cursors: { before: String(from), after: String(to) }, ...(to < found.length ? { next: 'https://graph/next' } : {}) }
    return { json: { data: found.slice(from, to), ...(found.length > 0 ? { paging } : {}) } }
  }
}

function many(count: number) {
  return Array.from({ length: count }, (_, n) => ({ ...SHOWN, id: `${ID}${n}`, name: `order_${n}` }))
}

async function pagesOf(templates: TemplatesPort) {
  const pages = []
  for (let after: string | null = null, isLast = false; !isLast;) {
    const page = await templates.page(after)
    if (!page.ok) return { pages, failed: page.error }
    pages.push(page.value.templates.map(({ name }) => name))
    after = page.value.next
    isLast = after === null
  }
  return { pages, failed: null }
}

test('all templates are listed a hundred at a time, along upstream’s cursors', async (t) => {
  const { server, templates } = await opened(t)
  for (const [count, sizes] of [[0, [0]], [1, [1]], [99, [99]], [100, [100, 0]], [101, [100, 1]], [250, [100, 100, 50]]] as const) {
    server.asked.length = 0
    server.on(`GET ${AT}`, listing(many(count), 100))
    const { pages, failed } = await pagesOf(templates)
    t.is(failed, null)
    t.deepEqual(pages.map(({ length }) => length), sizes)
    t.deepEqual(pages.flat(), many(count).map(({ name }) => name))
    t.true(server.asked.every(({ query }) => query['fields'] === FIELDS && query['limit'] === '100'))
  }
  server.on(`GET ${AT}`, listing(many(5), 2))
  t.deepEqual((await pagesOf(templates)).pages.map(({ length }) => length), [2, 2, 1], 'upstream may show fewer')
})

test('a listing that breaks on its second page of three is a failure, and no short listing', async (t) => {
  const { server, templates } = await opened(t)
  const whole = listing(many(250), 100)
  const second = (answer: Scripted): Scripted => (asked) => asked.query['after'] === '100' ? typeof answer === 'function' ? answer(asked) : answer : whole(asked)
  const page = (more: object) => ({ json: { data: many(100), paging: { cursors: { before: '100', after: '200' }, next: 'https://graph/next' }, ...more } })
  const breaks: readonly Scripted[] = [
    graphError(2, 503), graphError(190, 401), 'drop', { text: '{"data":[' }, { json: {} }, { json: { data: {} } },
    page({ paging: { next: 'https://graph/next' } }),
    page({ paging: { cursors: { after: '100' }, next: 'https://graph/next' } }),
    // A full page whose end does not move.
    page({ paging: { cursors: { after: '100' } } }),
  ]
  for (const [index, answer] of breaks.entries()) {
    server.on(`GET ${AT}`, second(answer))
    const { pages, failed } = await pagesOf(templates)
    t.is(pages.length, 1, String(index))
    t.is(failed?.code, index === 1 ? 'OFFICIAL_REQUEST_REFUSED' : 'OFFICIAL_ERROR', String(index))
    t.like(await templates.find('order_249', 'pt_BR'), { ok: true }, 'a filter that finds one only is done with the first page')
    t.false((await templates.find('order_', 'pt_BR')).ok, 'a name that may stand behind the break is not missing')
  }
})

test('what is no template costs itself: the rest of the page is listed, and nothing is taken for missing', async (t) => {
  const { server, templates } = await opened(t)
  for (const none of [null, 'x', { id: 'x' }, { ...SHOWN, name: '漢'.repeat(513) }, { ...SHOWN, language: undefined }]) {
    server.on(`GET ${AT}`, { json: { data: [...many(2), none] } })
    t.like(await templates.page(null), { ok: true, value: { templates: { length: 2 }, next: null, isWhole: false } })
    t.like(await templates.find('order_1', 'pt_BR'), { ok: true, value: { name: 'order_1' } })
    t.like(await templates.find('order_9', 'pt_BR'), { ok: false, error: { code: 'OFFICIAL_ERROR' } }, 'it may be what cannot be read')
  }
})

test('a page as large as templates get is read', async (t) => {
  const { server, templates } = await opened(t)
  const cards = Array.from({ length: 10 }, () => ({ components: [{ type: 'BUTTONS', buttons: Array.from({ length: 2 }, () => ({ type: 'URL', url: 'x'.repeat(2_000) })) }] }))
  server.on(`GET ${AT}`, { json: { data: many(100).map((one) => ({ ...one, components: [{ type: 'CAROUSEL', cards }] })) } })
  const page = await templates.page(null)
  t.is(page.ok && page.value.templates.length, 100)
})

test('a template is found by its whole name and its language, whatever contains it', async (t) => {
  const { server, templates } = await opened(t)
  const account = [
    { ...SHOWN, id: '1', name: 'order_sent' }, { ...SHOWN, id: '2', name: 'order_sen', language: 'en_US' }, { ...SHOWN, id: '3', name: 'reorder_sen' },
    { ...SHOWN, id: '4', name: 'order_sen', status: 'DELETED' }, { ...SHOWN, id: '5', name: 'order_sen', status: 'PENDING_DELETION' },
  ]
  server.on(`GET ${AT}`, listing(account, 2))
  const idOf = async (name: string, language: string) => {
    const found = await templates.find(name, language)
    return found.ok ? found.value?.externalId ?? null : found.error.code
  }
  t.deepEqual(await Promise.all([
    idOf('order_sen', 'pt_BR'), idOf('order_sen', 'en_US'), idOf('order_sen', 'en-US'), idOf('order_sen', 'en'), idOf('order_sent', 'pt_BR'), idOf('order_se', 'pt_BR'), idOf('constructor', 'pt_BR'),
  ]), ['5', '2', '2', null, '1', null, null])
})

test('whatever an account has, a name and language is found exactly when it is there', async (t) => {
  const { server, templates } = await opened(t)
  const name = fc.constantFrom('order', 'order_sen', 'order_sent', 'reorder_sent', 'o', 'sent')
  const language = fc.constantFrom('en', 'en_US', 'pt_BR')
  const item = fc.record({ name, language, status: fc.constantFrom('APPROVED', 'PENDING', 'DELETED') })
  await fc.assert(fc.asyncProperty(fc.uniqueArray(item, { maxLength: 12, selector: (one) => `${one.name} ${one.language}` }), fc.integer({ min: 1, max: 4 }), name, language, async (account, size, wanted, code) => {
    server.on(`GET ${AT}`, listing(account.map((one, n) => ({ ...SHOWN, ...one, id: String(n + 1) })), size))
    const at = account.findIndex((one) => one.name === wanted && one.language === code && one.status !== 'DELETED')
    const found = await templates.find(wanted, code)
    t.true(found.ok)
    t.is(found.ok && (found.value?.externalId ?? null), at < 0 ? null : String(at + 1))
  }), { numRuns: 60 })
})

test('a look-up whose listing does not end is given up', async (t) => {
  const { server, templates } = await opened(t)
  server.on(`GET ${AT}`, ({ query }) => ({ json: { data: [SHOWN], paging: { cursors: { after: String(Number(query['after'] ?? 0) + 1) }, next: 'https://graph/next' } } }))
  t.false((await templates.find('order_sen', 'pt_BR')).ok)
  t.is(server.asked.length, 100)
})

test('reads are repeated while upstream throttles or fails', async (t) => {
  const { server, templates } = await opened(t, PATIENT)
  server.on(`GET /${ID}`, graphError(80_008), 'drop', { json: SHOWN })
  t.like(await templates.read(ID), { ok: true })
  server.on(`GET ${AT}`, { status: 502, text: '' }, { json: { data: [SHOWN] } })
  t.deepEqual(await templates.find('order_sent', 'pt_BR'), { ok: true, value: TEMPLATE } as never)
})
