import test from 'ava'
import type { TemplatesPort } from '../../../../src/ports/official/templates.ts'
import type { UpstreamWrite } from '../../../../src/ports/official/write.ts'
import { FakeClock } from '../../../helpers/fake-clock.ts'
import { until } from '../../../helpers/until.ts'
import { CREDENTIALS, graphError, PATIENT } from '../scripted-graph.ts'
import type { Scripted } from '../scripted-graph.ts'
import { openedTemplates, AT, ID, SUBMISSION, BODY, SHOWN, TEMPLATE, FIELDS } from './template-rig.ts'

test('a template is created as it is submitted, with the id whole and upstream’s words', async (t) => {
  const { server, templates } = await openedTemplates(t)
  server.on(`POST ${AT}`, { text: `{"id":${ID},"status":"pending","category":"MARKETING"}` })
  t.deepEqual(await templates.create(SUBMISSION), {
    kind: 'done',
    value: { externalId: ID, status: 'PENDING', category: 'MARKETING' },
  })
  const [asked] = server.asked
  t.deepEqual(asked?.body, {
    name: 'order_sent',
    language: 'pt_BR',
    category: 'UTILITY',
    parameter_format: 'POSITIONAL',
    components: [BODY],
  })
  t.is(asked?.headers.authorization, `Bearer ${CREDENTIALS.accessToken}`)
  server.on(`POST ${AT}`, { json: { id: ID } })
  t.deepEqual(await templates.create({ ...SUBMISSION, displayFormat: 'ORDER_DETAILS' }), {
    kind: 'done',
    value: { externalId: ID, status: null, category: null },
  })
  t.like(server.asked[1]?.body, { display_format: 'ORDER_DETAILS' })
})

test('an edit goes to the template, with its category only when it changes', async (t) => {
  const { server, templates } = await openedTemplates(t)
  server.on(
    `POST /${ID}`,
    { json: { success: true } },
    { json: { success: true, id: ID, name: 'order_sent', category: 'UTILITY' } },
  )
  t.deepEqual(await templates.edit(ID, { components: [BODY], parameterFormat: 'NAMED', category: null }), {
    kind: 'done',
    value: null,
  })
  t.deepEqual(await templates.edit(ID, { components: [BODY], parameterFormat: 'POSITIONAL', category: 'MARKETING' }), {
    kind: 'done',
    value: null,
  })
  t.deepEqual(
    server.asked.map(({ body }) => body),
    [
      { components: [BODY], parameter_format: 'NAMED' },
      { components: [BODY], parameter_format: 'POSITIONAL', category: 'MARKETING' },
    ],
  )
})

test('one language of a template is removed, by its id and name', async (t) => {
  const { server, templates } = await openedTemplates(t)
  server.on(`DELETE ${AT}`, { json: { success: true } }, { json: { success: false } })
  t.deepEqual(await templates.remove(ID, 'order_sent'), { kind: 'done', value: null })
  t.deepEqual(
    server.asked.map(({ query, sent }) => [query, sent.length]),
    [[{ hsm_id: ID, name: 'order_sent' }, 0]],
  )
  t.like(await templates.remove(ID, 'order_sent'), {
    kind: 'refused',
    no: { upstreamCode: null, upstreamSubcode: null },
  })
})

const WRITES: readonly (readonly [
  name: string,
  at: string,
  write: (templates: TemplatesPort) => Promise<UpstreamWrite<unknown>>,
])[] = [
  ['a creation', `POST ${AT}`, (templates) => templates.create(SUBMISSION)],
  ['an edit', `POST /${ID}`, (templates) => templates.edit(ID, { ...SUBMISSION, category: null })],
  ['a deletion', `DELETE ${AT}`, (templates) => templates.remove(ID, 'order_sent')],
]

const CAME_TO: readonly (readonly [what: string, answer: Scripted, kind: UpstreamWrite<unknown>['kind']])[] = [
  ...[3, 10, 100, 190, 192, 200, 299, 368, 131_008, 131_037].map(
    (code) => [`code ${code}`, graphError(code), 'refused'] as const,
  ),
  ['a missing permission at HTTP 500', graphError(3, 500), 'refused'],
  ['an error without a code', { status: 400, json: { error: { message: 'No' } } }, 'refused'],
  ['success: false', { json: { success: false } }, 'refused'],
  ...[4, 613, 80_007, 80_008, 130_429].map(
    (code) =>
      [
        `throttling ${code}`,
        graphError(code, code === 613 ? 429 : 400, { is_transient: code === 4 }),
        'unsent',
      ] as const,
  ),
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
  test(`${name} is requested once, and its outcome follows from the answer`, async (t) => {
    const { server, templates } = await openedTemplates(t)
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
  const { server, templates } = await openedTemplates(t, { clock })
  server.on(`POST ${AT}`, 'silence')
  const creating = templates.create(SUBMISSION)
  await until('it is asked', () => server.asked.length === 1)
  clock.advance(10_000)
  t.like(await creating, { kind: 'unknown', refusal: { code: 'OFFICIAL_ERROR' } })
})

test('a write that never left is unsent: nobody listens, or too many wait', async (t) => {
  const { server, templates } = await openedTemplates(t, { tuning: { inFlight: 1, waiting: 0 } })
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
  const { server, templates } = await openedTemplates(t)
  server.on(
    `POST ${AT}`,
    graphError(100, 400, {
      message: 'Invalid parameter',
      error_subcode: 2_388_299,
      error_user_title: 'Title',
      error_user_msg: `Not at the edge (${CREDENTIALS.accessToken})`,
      error_data: '{"blame":1}',
    }),
  )
  t.deepEqual(await templates.create(SUBMISSION), {
    kind: 'refused',
    no: { upstreamCode: 100, upstreamSubcode: 2_388_299, upstreamMessage: 'Not at the edge (***): {"blame":1}' },
  })
})

test('a template is read with the fields that are needed, however upstream writes them', async (t) => {
  const { server, templates } = await openedTemplates(t)
  server.on(`GET /${ID}`, { json: SHOWN })
  t.deepEqual(await templates.read(ID), { ok: true, value: TEMPLATE } as never)
  t.deepEqual(server.asked[0]?.query, { fields: FIELDS })
  const shown: readonly (readonly [more: object, expected: object])[] = [
    [
      { parameter_format: 'named', status: 'Paused', rejected_reason: 'SCAM' },
      { parameterFormat: 'NAMED', status: 'PAUSED', rejectedReason: 'SCAM' },
    ],
    [
      { quality_score: 'yellow', correct_category: 'marketing' },
      { quality: 'YELLOW', correctCategory: 'MARKETING' },
    ],
    [{ quality_score: { score: 'PURPLE' } }, { quality: 'UNKNOWN' }],
    [
      { quality_score: null, rejected_reason: null, parameter_format: undefined, components: null },
      { quality: null, rejectedReason: null, parameterFormat: 'POSITIONAL', components: [] },
    ],
    [{ status: '', category: 7 }, { status: 'UNKNOWN' }],
  ]
  for (const [more, expected] of shown) {
    server.on(`GET /${ID}`, { json: { ...SHOWN, ...more } })
    t.like(await templates.read(ID), { ok: true, value: expected } as never)
  }
  server.on(`GET /${ID}`, {
    text: `{"id":${ID},"name":"n","language":"en","components":[{"type":"BUTTONS","buttons":[{"type":"FLOW","flow_id":98765432109876543210}]}]}`,
  })
  t.like(await templates.read(ID), {
    value: {
      externalId: ID,
      components: [{ type: 'BUTTONS', buttons: [{ type: 'FLOW', flow_id: '98765432109876543210' }] }],
    },
  } as never)
})

test('a template that the upstream does not show is null, and a failed read is a refusal', async (t) => {
  const { server, templates } = await openedTemplates(t)
  for (const answer of [graphError(100, 400, { error_subcode: 33 }), graphError(803, 404), { status: 404, text: '' }]) {
    server.on(`GET /${ID}`, answer)
    t.deepEqual(await templates.read(ID), { ok: true, value: null })
  }
  for (const answer of [
    graphError(100),
    graphError(190, 401),
    { json: { id: ID, name: 'order_sent' } },
    { json: { id: 'x', name: 'n', language: 'en' } },
  ] as const) {
    server.on(`GET /${ID}`, answer)
    t.false((await templates.read(ID)).ok)
  }
})

test('reads are repeated while upstream throttles or fails', async (t) => {
  const { server, templates } = await openedTemplates(t, PATIENT)
  server.on(`GET /${ID}`, graphError(80_008), 'drop', { json: SHOWN })
  t.like(await templates.read(ID), { ok: true })
  server.on(`GET ${AT}`, { status: 502, text: '' }, { json: { data: [SHOWN] } })
  t.deepEqual(await templates.find('order_sent', 'pt_BR'), { ok: true, value: TEMPLATE } as never)
})
