import test from 'ava'
import type { PagePort, UpstreamRead } from '../../../../src/ports/official/pages.ts'
import { graphError } from '../scripted-graph.ts'
import type { Scripted } from '../scripted-graph.ts'
import { openedPage, PROOF, PAGE, FORM, LONG, RANGE } from './page-rig.ts'

// [leads.linking.1] [leads.linking.7]
test('a Page is asked for by its id, with its token and the proof of the secret, and the answer says which Page it is of', async (t) => {
  const { server, page } = await openedPage(t)
  server.on(
    'GET /77',
    { json: { id: 77, name: 'Shop' } },
    { json: { id: '77' } },
    { json: { id: '78', name: 'Another' } },
    { json: { name: 'None' } },
  )
  t.deepEqual(await page.read(), { kind: 'read', value: { pageId: '77', pageName: 'Shop' } })
  t.deepEqual(await page.read(), { kind: 'read', value: { pageId: '77', pageName: null } })
  t.deepEqual(await page.read(), { kind: 'read', value: { pageId: '78', pageName: 'Another' } })
  t.like(await page.read(), { kind: 'failed' })
  const [asked] = server.asked
  t.deepEqual(asked?.query, { fields: 'id,name', appsecret_proof: PROOF })
  t.is(asked?.headers.authorization, `Bearer ${PAGE.accessToken}`)
})

// [leads.linking.1] [leads.linking.7]
test('a Page is subscribed to leads beside what our app had of it, wherever our app stands in the list', async (t) => {
  const { server, page } = await openedPage(t)
  const others = (count: number, more: object = {}) => ({
    json: { data: Array.from({ length: count }, (_, at) => ({ id: `9${at}`, subscribed_fields: ['feed'] })), ...more },
  })
  server.on('POST /77/subscribed_apps', { json: { success: true } })
  const had: readonly (readonly [answers: Scripted[], wanted: string])[] = [
    [[{ json: { data: [] } }], 'leadgen'],
    [[{ json: { data: [{ id: '3003', subscribed_fields: ['feed', 'messages'] }] } }], 'feed,messages,leadgen'],
    [[{ json: { data: [{ id: 3003, subscribed_fields: ['leadgen', 'feed'] }] } }], 'leadgen,feed'],
    [[{ json: { data: [{ id: '4004', subscribed_fields: ['feed'] }, { id: '3003' }] } }], 'leadgen'],
    [
      [
        others(25, { paging: { cursors: { after: 'A' }, next: 'https://x' } }),
        { json: { data: [{ id: '3003', subscribed_fields: ['name'] }] } },
      ],
      'name,leadgen',
    ],
  ]
  for (const [answers, wanted] of had) {
    server.asked.length = 0
    server.on('GET /77/subscribed_apps', ...answers)
    t.deepEqual(await page.subscribe(), { kind: 'read', value: null })
    const posted = server.asked.at(-1)
    t.is(posted?.method, 'POST')
    t.is(new URLSearchParams(posted?.sent.toString()).get('subscribed_fields'), wanted)
    t.is(posted?.query['appsecret_proof'], PROOF)
  }
})

test('a subscription that cannot be read is not overwritten, and an endless list is given up', async (t) => {
  const { server, page } = await openedPage(t)
  for (const [answer, kind] of [
    [graphError(10, 403), 'refused'],
    [graphError(2, 503), 'failed'],
    [graphError(190, 401), 'token-dead'],
  ] as const) {
    server.on('GET /77/subscribed_apps', answer)
    t.is((await page.subscribe()).kind, kind)
    t.is((await page.unsubscribe()).kind, kind)
  }
  let cursor = 0
  server.on('GET /77/subscribed_apps', () => ({
    json: { data: [{ id: '1' }], paging: { cursors: { after: `c${cursor++}` }, next: 'https://x' } },
  }))
  t.is((await page.subscribe()).kind, 'failed')
  t.is(cursor, 10)
  t.true(server.asked.every(({ method }) => method === 'GET'))
})

test('a Page is unsubscribed, unless our app is subscribed to other fields, which stay', async (t) => {
  const { server, page } = await openedPage(t)
  server
    .on('DELETE /77/subscribed_apps', { json: { success: true } })
    .on('POST /77/subscribed_apps', { json: { success: true } })
  server.on(
    'GET /77/subscribed_apps',
    { json: { data: [{ id: '3003', subscribed_fields: ['leadgen'] }] } },
    { json: { data: [{ id: '3003', subscribed_fields: ['feed', 'leadgen', 'name'] }] } },
  )
  t.deepEqual(await page.unsubscribe(), { kind: 'read', value: null })
  t.like(server.asked.at(-1), { method: 'DELETE', query: { appsecret_proof: PROOF } })
  t.deepEqual(await page.unsubscribe(), { kind: 'read', value: null })
  t.is(server.asked.at(-1)?.sent.toString(), 'subscribed_fields=feed%2Cname')
})
const SHOWN_FORM = {
  formId: '88',
  formName: 'Sign up',
  pageId: '77',
  status: 'ACTIVE',
  questions: [
    { key: 'full_name', label: 'Your name', type: 'FULL_NAME' },
    { key: 'q2', label: 'q2', type: 'CUSTOM' },
  ],
  checkboxes: [
    { key: 'yes', text: 'I agree', isRequired: true },
    { key: 'more', text: 'And more', isRequired: false },
  ],
}

test('forms come a page at a time, with their questions and checkboxes', async (t) => {
  const { server, page } = await openedPage(t)
  const bare = { id: '89' }
  server.on(
    'GET /77/leadgen_forms',
    {
      json: {
        data: [FORM, bare, { name: 'no id' }],
        paging: { cursors: { before: 'A', after: 'B' }, next: 'https://x' },
      },
    },
    { json: { data: [], paging: { cursors: { after: 'C' } } } },
  )
  t.deepEqual(await page.forms(null), {
    kind: 'read',
    value: {
      forms: [SHOWN_FORM, { formId: '89', formName: null, pageId: null, status: '', questions: [], checkboxes: [] }],
      next: 'B',
    },
  })
  t.deepEqual(await page.forms('B'), { kind: 'read', value: { forms: [], next: null } })
  t.deepEqual(
    server.asked.map(({ query }) => [query['limit'], query['after'], query['appsecret_proof']]),
    [
      ['100', undefined, PROOF],
      ['100', 'B', PROOF],
    ],
  )
  t.is(
    server.asked[0]?.query['fields'],
    'id,name,status,page_id,questions{key,label,type},legal_content{custom_disclaimer{checkboxes{key,text,is_required}}}',
  )
})

test('one form is read by its id; one that the token does not see is none, and what is no id is not asked for', async (t) => {
  const { server, page } = await openedPage(t)
  server.on('GET /88', {
    json: { ...FORM, questions: { data: FORM.questions }, page_id: undefined, page: { id: LONG } },
  })
  t.deepEqual(await page.form('88'), { kind: 'read', value: { ...SHOWN_FORM, pageId: LONG } })
  for (const answer of [
    graphError(100, 400, { error_subcode: 33 }),
    graphError(803, 404),
    { status: 404, text: '<html>' },
  ]) {
    server.on('GET /88', answer)
    t.deepEqual(await page.form('88'), { kind: 'read', value: null })
  }
  server.on('GET /88', graphError(100))
  t.like(await page.form('88'), { kind: 'refused', no: { upstreamCode: 100 } })
  server.on('GET /88', { json: { ...FORM, id: '89' } })
  t.is((await page.form('88')).kind, 'failed')
  server.asked.length = 0
  for (const id of ['me', '', '..', '88/leads', '88?x=1', '1'.repeat(65)])
    t.deepEqual(await page.form(id), { kind: 'read', value: null })
  t.is(server.asked.length, 0)
})

const CAME_TO: readonly (readonly [what: string, answer: Scripted, expected: object])[] = [
  ['a dead token', graphError(190, 401), { kind: 'token-dead', no: { upstreamCode: 190 } }],
  ['a session that is over', graphError(102, 400), { kind: 'token-dead' }],
  ...[4, 17, 32, 613, 80_000, 80_001, 80_005, 80_014].map(
    (code) =>
      [
        `throttling ${code}`,
        graphError(code),
        { kind: 'throttled', no: { upstreamCode: code }, waitMs: null },
      ] as const,
  ),
  ['a code just outside throttling', graphError(80_015), { kind: 'refused' }],
  ['HTTP 429 with any code', graphError(7, 429), { kind: 'throttled', waitMs: null }],
  [
    'HTTP 429 of a proxy',
    { status: 429, text: '<html>', headers: { 'retry-after': '40' } },
    { kind: 'throttled', waitMs: 40_000 },
  ],
  [
    'retry-after',
    { ...(graphError(4) as object), headers: { 'retry-after': '7200' } },
    { kind: 'throttled', waitMs: 7_200_000 },
  ],
  [
    'a wait beyond a day',
    { ...(graphError(4) as object), headers: { 'retry-after': '9999999' } },
    { kind: 'throttled', waitMs: 86_400_000 },
  ],
  [
    'minutes of the usage header',
    {
      ...(graphError(80_005) as object),
      headers: {
        'x-business-use-case-usage':
          '{"77":[{"type":"leadgen","call_count":100,"estimated_time_to_regain_access":130}]}',
      },
    },
    { kind: 'throttled', waitMs: 130 * 60_000 },
  ],
  ...[3, 10, 33, 100, 200, 294, 368].map(
    (code) =>
      [
        `refusal ${code}`,
        graphError(code, 403, { error_subcode: 5 }),
        { kind: 'refused', no: { upstreamCode: code, upstreamSubcode: 5 } },
      ] as const,
  ),
  ['a capability that is missing, at HTTP 500', graphError(3, 500), { kind: 'refused', no: { upstreamCode: 3 } }],
  ['a fault', graphError(2, 503), { kind: 'failed', no: { upstreamCode: 2 } }],
  ['a refusal that may pass', graphError(100, 400, { is_transient: true }), { kind: 'failed' }],
  ['HTTP 500 with a code of refusals', graphError(100, 500), { kind: 'failed' }],
  ['a page of a proxy', { status: 502, text: '<html>' }, { kind: 'failed', no: { upstreamCode: null } }],
  ['an answer that is cut', { text: '{"id":"7' }, { kind: 'failed' }],
  ['a broken connection', 'drop', { kind: 'failed' }],
]

const READS: readonly (readonly [
  name: string,
  at: string,
  read: (page: PagePort) => Promise<UpstreamRead<unknown>>,
])[] = [
  ['a Page', 'GET /77', (page) => page.read()],
  ['forms', 'GET /77/leadgen_forms', (page) => page.forms(null)],
  ['a form', 'GET /88', (page) => page.form('88')],
  ['a lead', `GET /${LONG}`, (page) => page.lead(LONG)],
  ['leads of a form', 'GET /88/leads', (page) => page.leadsOf('88', RANGE, null)],
]

for (const [name, at, read] of READS) {
  test(`${name} is requested once, and its outcome follows from the answer`, async (t) => {
    const { server, page } = await openedPage(t)
    for (const [what, answer, expected] of CAME_TO) {
      server.asked.length = 0
      server.on(at, answer)
      t.like(await read(page), expected, what)
      t.is(server.asked.length, 1, what)
    }
  })
}

test('an unknown upstream error is a fault whatever its status, and a malformed list is requested once', async (t) => {
  const { server, page } = await openedPage(t)
  server.on('GET /77', graphError(1)).on('GET /88', graphError(1, 500)).on(`GET /${LONG}`, graphError(1, 400))
  for (const read of [page.read(), page.form('88'), page.lead(LONG)])
    t.like(await read, { kind: 'failed', no: { upstreamCode: 1 } })
  t.is(server.asked.length, 3)
})

test('no secret is in what upstream is quoted with, and its words are bounded', async (t) => {
  const { server, page } = await openedPage(t)
  server.on(
    'GET /77',
    graphError(100, 400, { message: `Invalid appsecret_proof ${PROOF} of ${PAGE.accessToken} and ${PAGE.appSecret}` }),
    graphError(100, 400, { message: 'x'.repeat(5_000) }),
  )
  t.deepEqual(await page.read(), {
    kind: 'refused',
    no: { upstreamCode: 100, upstreamSubcode: null, upstreamMessage: 'Invalid appsecret_proof *** of *** and ***' },
  })
  const read = await page.read()
  t.is(read.kind === 'read' ? 0 : read.no.upstreamMessage.length, 1_000)
})

test('a dead token of a Page marks no number, be it the very token of one', async (t) => {
  const marks: unknown[] = []
  const { server, page, graph } = await openedPage(t, { onMark: (...mark) => void marks.push(mark) })
  server.on('GET /77', graphError(190, 401))
  t.is((await page.read()).kind, 'token-dead')
  t.deepEqual(marks, [])
  t.false(graph.tokens.isInvalid(PAGE.accessToken))
  await graph.ask(
    { phoneId: '77', accessToken: PAGE.accessToken },
    { op: 'x', method: 'GET', path: ['77'], isRepeatable: false },
  )
  t.deepEqual(marks, [['77', 'TOKEN_INVALID', PAGE.accessToken]])
  server.on('GET /77', { json: { id: '77' } })
  await page.read()
  t.true(graph.tokens.isInvalid(PAGE.accessToken), 'nor does a good one unmark it')
})

test('requests of a Page wait for each other, and for no number of the same id', async (t) => {
  const { server, page, graph } = await openedPage(t, { tuning: { inFlight: 1, waiting: 0 } })
  server.on('GET /77', { json: { id: '77' } })
  server.hold()
  const [first, second] = [page.read(), page.read()]
  t.like(await second, { kind: 'failed', no: { upstreamCode: null } })
  const number = graph.ask(
    { phoneId: '77', accessToken: 'x' },
    { op: 'x', method: 'GET', path: ['77'], isRepeatable: false },
  )
  server.release()
  t.is((await first).kind, 'read')
  t.true((await number).ok)
})
