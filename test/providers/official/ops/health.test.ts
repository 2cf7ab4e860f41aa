import test from 'ava'
import type { Outcome } from '../../../../src/domain/errors.ts'
import { healthOps } from '../../../../src/providers/official/ops/health.ts'
import { CREDENTIALS, graphError, rig } from '../scripted-graph.ts'
import type { Scripted } from '../scripted-graph.ts'

const PHONE: Scripted = {
  json: {
    id: '1001',
    display_phone_number: '+1 555-012-3456',
    verified_name: 'Shop',
    quality_rating: 'GREEN',
    status: 'CONNECTED',
    whatsapp_business_manager_messaging_limit: 'TIER_2K',
    throughput: { level: 'STANDARD' },
  },
}
const OWN_ACCOUNT: Scripted = { json: { data: [{ id: '999' }, { id: '1001' }] } }
const HEALTH = {
  number: '15550123456',
  qualityRating: 'GREEN',
  messagingLimitTier: 'TIER_2K',
  officialStatus: 'CONNECTED',
  perSecond: 80,
}

function refusal(outcome: Outcome<unknown>) {
  return outcome.ok ? null : outcome.error
}

test('health is read from the phone, and its account is checked', async (t) => {
  const { server, graph } = await rig(t)
  server.on('GET /1001', PHONE).on('GET /2002/phone_numbers', OWN_ACCOUNT)
  t.deepEqual(await healthOps(graph, CREDENTIALS).read(), { ok: true, value: HEALTH })
})

// [message-verbs.pace.5]
test('the throughput is that of its level, and of a number that an app also uses 20 a second', async (t) => {
  const read = async (fields: object) => {
    const { server, graph } = await rig(t)
    server
      .on('GET /1001', { json: { id: '1001', display_phone_number: '15550123456', ...fields } })
      .on('GET /2002/phone_numbers', OWN_ACCOUNT)
    const health = await healthOps(graph, CREDENTIALS).read()
    return health.ok ? health.value.perSecond : health.error.code
  }
  t.is(await read({ throughput: { level: 'HIGH' } }), 1_000)
  t.is(await read({ throughput: { level: 'HIGH' }, is_on_biz_app: true }), 20)
  t.is(await read({ throughput: { level: 'LATER' } }), null)
  t.is(await read({ throughput: 'none', is_on_biz_app: false }), null)
})

// [message-verbs.pace.8]
test('limits of an account of many phones are read page by page, and null where they are left out', async (t) => {
  const { server, graph } = await rig(t)
  const phones = Array.from({ length: 100 }, (_, index) => ({
    id: `${index}`,
    whatsapp_business_manager_messaging_limit: 'TIER_250',
    throughput: { level: 'HIGH' },
  }))
  server.on(
    'GET /2002/phone_numbers',
    { json: { data: phones, paging: { cursors: { after: 'next' } } } },
    { json: { data: [{ id: '100', is_on_biz_app: true }, 'no phone'] } },
  )
  const limits = await healthOps(graph, CREDENTIALS).readLimits()
  if (!limits.ok) return t.fail(limits.error.message)
  t.is(limits.value.length, 102)
  t.deepEqual(limits.value[0], { phoneId: '0', messagingLimitTier: 'TIER_250', perSecond: 1_000 })
  t.deepEqual(limits.value[100], { phoneId: '100', messagingLimitTier: null, perSecond: 20 })
})

test('health holds null for what upstream left out', async (t) => {
  const { server, graph } = await rig(t)
  server
    .on('GET /1001', { json: { id: '1001', display_phone_number: '15550123456' } })
    .on('GET /2002/phone_numbers', OWN_ACCOUNT)
  t.deepEqual(await healthOps(graph, CREDENTIALS).read(), {
    ok: true,
    value: {
      number: '15550123456',
      qualityRating: null,
      messagingLimitTier: null,
      officialStatus: null,
      perSecond: null,
    },
  })
})

test('the phone is looked for on every page of its account', async (t) => {
  const { server, graph } = await rig(t)
  server
    .on('GET /1001', PHONE)
    .on(
      'GET /2002/phone_numbers',
      { json: { data: [{ id: '1' }], paging: { cursors: { after: 'next-one' }, next: 'https://elsewhere/' } } },
      OWN_ACCOUNT,
    )
  t.true((await healthOps(graph, CREDENTIALS).read()).ok)
  t.is(server.asked.filter(({ path }) => path === '/2002/phone_numbers')[1]?.query['after'], 'next-one')
})

test('a phone of another account is refused', async (t) => {
  const { server, graph } = await rig(t)
  server
    .on('GET /1001', PHONE)
    .on('GET /2002/phone_numbers', { json: { data: [{ id: '999' }], paging: { cursors: { after: 'x' } } } })
  t.like(refusal(await healthOps(graph, CREDENTIALS).read()), {
    code: 'OFFICIAL_CREDENTIALS_REJECTED',
    details: { upstreamCode: null },
  })
})

for (const [what, path] of [
  ['phone', '/1001'],
  ['account', '/2002/phone_numbers'],
] as const) {
  for (const [code, status] of [
    [190, 401],
    [100, 400],
    [10, 403],
    [200, 403],
  ] as const) {
    test(`upstream ${code} on the ${what} rejects the credentials with upstream's reason`, async (t) => {
      const { server, graph } = await rig(t)
      server
        .on('GET /1001', PHONE)
        .on('GET /2002/phone_numbers', OWN_ACCOUNT)
        .on(`GET ${path}`, graphError(code, status))
      const error = refusal(await healthOps(graph, CREDENTIALS).read())
      t.like(error, {
        code: 'OFFICIAL_CREDENTIALS_REJECTED',
        details: { upstreamCode: code, upstreamMessage: `(#${code}) Title` },
      })
      t.true(error?.message.includes(`(#${code}) Title`))
    })
  }
}

test('a failing upstream says nothing of the credentials', async (t) => {
  const { server, graph } = await rig(t)
  server.on('GET /1001', graphError(2, 503)).on('GET /2002/phone_numbers', OWN_ACCOUNT)
  t.like(refusal(await healthOps(graph, CREDENTIALS).read()), { code: 'OFFICIAL_ERROR' })
})
