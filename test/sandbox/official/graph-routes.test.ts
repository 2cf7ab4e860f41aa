import test from 'ava'
import { BUSINESS, startOfficial, USER } from './official-playground.ts'

test('one seed makes a number that is ready for use, with all its ids and secrets', async (t) => {
  const { seeded, graph, control, close } = await startOfficial()
  for (const name of ['phoneId', 'accountId', 'appId']) t.regex(seeded[name], /^\d+$/)
  t.truthy(seeded.appSecret)
  t.like(seeded, {
    number: BUSINESS,
    messagingLimitTier: 'TIER_2K',
    qualityRating: 'GREEN',
    status: 'CONNECTED',
    isTokenExpired: false,
  })
  const { status, body } = await graph('GET', seeded.phoneId)
  t.is(status, 200)
  t.like(body, {
    id: seeded.phoneId,
    display_phone_number: '+55 1140000000',
    quality_rating: 'GREEN',
    platform_type: 'CLOUD_API',
  })
  t.is((await control('POST', '/official/numbers', { number: BUSINESS })).body.code, 'NUMBER_EXISTS')
  t.is((await control('POST', '/official/numbers', { number: '1' })).status, 400)
  t.is((await control('GET', '/official/numbers')).body.numbers.length, 1)
  t.like((await control('GET', `/official/numbers/${seeded.phoneId}`)).body, { accessToken: seeded.accessToken })
  await close()
})

test('a seed takes ids and secrets as given, and numbers share an account', async (t) => {
  const seed = {
    phoneId: '100',
    accountId: '200',
    appId: '300',
    appSecret: 'secret',
    accessToken: 'token',
    messagingLimitTier: 'TIER_250',
    verifiedName: 'Shop',
  }
  const { seeded, graph, control, close } = await startOfficial(seed)
  t.like(seeded, seed)
  await control('POST', '/official/numbers', { number: '551140000001', accountId: '200', accessToken: 'token' })
  const { body } = await graph('GET', '200/phone_numbers?fields=display_phone_number,verified_name')
  t.deepEqual(body.data, [
    { id: '100', display_phone_number: '+55 1140000000', verified_name: 'Shop' },
    { id: body.data[1].id, display_phone_number: '+55 1140000001', verified_name: 'Sandbox 0001' },
  ])
  const first = (await graph('GET', '200/phone_numbers?limit=1')).body
  const second = (await graph('GET', `200/phone_numbers?limit=1&after=${first.paging.cursors.after}`)).body
  t.is(second.data[0].id, body.data[1].id)
  t.is(second.paging.next, undefined)
  const followed = await fetch(first.paging.next, { headers: { authorization: 'Bearer token' } })
  t.deepEqual(((await followed.json()) as any).data, second.data)
  const back = await fetch(second.paging.previous, { headers: { authorization: 'Bearer token' } })
  t.deepEqual(((await back.json()) as any).data, first.data)
  t.deepEqual((await control('GET', '/official/accounts')).body.accounts[0].phoneIds, ['100', body.data[1].id])
  t.is((await control('POST', '/official/accounts', { accountId: '200' })).status, 409)
  t.like((await control('POST', '/official/accounts', { appId: '300' })).body, { appSecret: 'secret', phoneIds: [] })
  await close()
})

test('fields asked for come, nested ones too, and an unknown one is refused', async (t) => {
  const { seeded, graph, close } = await startOfficial()
  const { body } = await graph(
    'GET',
    `${seeded.phoneId}?fields=status,throughput{level},whatsapp_business_manager_messaging_limit,health_status`,
  )
  t.like(body, {
    id: seeded.phoneId,
    status: 'CONNECTED',
    throughput: { level: 'STANDARD' },
    whatsapp_business_manager_messaging_limit: 'TIER_2K',
  })
  t.is(body.health_status.can_send_message, 'AVAILABLE')
  t.is(body.verified_name, undefined)
  const refused = await graph('GET', `${seeded.phoneId}?fields=shoe_size`)
  t.is(refused.status, 400)
  t.regex(refused.body.error.error_data.details, /nonexisting field \(shoe_size\)/)
  t.like((await graph('GET', seeded.accountId)).body, { id: seeded.accountId, currency: 'USD' })
  await close()
})

test('a token is needed, has to be known, has to be fresh, and opens its own accounts alone', async (t) => {
  const { seeded, graph, control, base, close } = await startOfficial()
  const other = (await control('POST', '/official/numbers', { number: '551140000002' })).body
  t.is((await graph('GET', seeded.phoneId, undefined, null)).status, 401)
  const unknown = await graph('GET', seeded.phoneId, undefined, 'nonsense')
  t.is(unknown.status, 401)
  t.like(unknown.body.error, { code: 190, type: 'OAuthException' })
  t.truthy(unknown.body.error.fbtrace_id)
  t.regex(unknown.headers.get('www-authenticate') ?? '', /invalid_token/)
  const foreign = await graph('GET', other.phoneId)
  t.is(foreign.status, 400)
  t.like(foreign.body.error, { code: 100, error_subcode: 33, type: 'GraphMethodException' })
  t.is(foreign.body.error.message.replace(other.phoneId, '9'), (await graph('GET', '9')).body.error.message)
  t.is((await fetch(`${base}/official/v24.0/${seeded.phoneId}?access_token=${seeded.accessToken}`)).status, 200)
  await control('PATCH', `/official/numbers/${seeded.phoneId}`, { isTokenExpired: true })
  t.like((await graph('GET', seeded.phoneId)).body.error, { code: 190, error_subcode: 463 })
  await control('PATCH', `/official/numbers/${seeded.phoneId}`, { isTokenExpired: false })
  t.is((await graph('GET', seeded.phoneId)).status, 200)
  await close()
})

// [sandbox.listening.2]
test("any version is served, and an unknown path, an unknown edge or malformed JSON gets the platform's error envelope", async (t) => {
  const { seeded, graph, base, close } = await startOfficial()
  const headers = { authorization: `Bearer ${seeded.accessToken}` }
  const older = await fetch(`${base}/official/v19.0/${seeded.phoneId}`, { headers })
  t.is(older.headers.get('facebook-api-version'), 'v19.0')
  t.is(older.status, 200)
  t.is((await fetch(`${base}/official/${seeded.phoneId}`, { headers })).status, 200)
  t.is(((await (await fetch(`${base}/official/v24.0/a/b/c`, { headers })).json()) as any).error.code, 2500)
  t.is((await graph('GET', `${seeded.phoneId}/shoes`)).body.error.code, 100)
  const broken = await fetch(`${base}/official/v24.0/${seeded.phoneId}/messages`, {
    method: 'POST',
    headers,
    body: '{',
  })
  t.is(broken.status, 400)
  t.is(((await broken.json()) as any).error.code, 100)
  await close()
})

test('answers carry usage in percent of the account', async (t) => {
  const { seeded, graph, close } = await startOfficial()
  const { headers } = await graph('GET', seeded.phoneId)
  const usage = JSON.parse(headers.get('x-business-use-case-usage') ?? '{}')
  t.like(usage[seeded.accountId][0], { type: 'whatsapp', call_count: 1, estimated_time_to_regain_access: 0 })
  t.is(JSON.parse(headers.get('x-app-usage') ?? '{}').call_count, 1)
  await close()
})

test('forms are read as JSON is, with nested objects as text', async (t) => {
  const { seeded, base, control, close } = await startOfficial()
  await control('PATCH', `/official/accounts/${seeded.accountId}`, { isSubscribed: true })
  const body = new URLSearchParams({ calling: JSON.stringify({ status: 'ENABLED' }) })
  const response = await fetch(`${base}/official/v24.0/${seeded.phoneId}/settings`, {
    method: 'POST',
    headers: { authorization: `Bearer ${seeded.accessToken}` },
    body,
  })
  t.deepEqual(await response.json(), { success: true })
  await close()
})

test('faults answer a code in its envelope, any status and body, or cut the connection', async (t) => {
  const { seeded, graph, control, close } = await startOfficial()
  const path = `/official/v24.0/${seeded.phoneId}`
  await control('POST', '/faults', { match: { path, method: 'GET' }, error: '138000' })
  await control('POST', '/faults', { match: { path }, status: 429, error: { code: '130429', message: 'slow down' } })
  await control('POST', '/faults', { match: { path }, status: 500 })
  await control('POST', '/faults', { match: { path }, status: 418, body: { tea: true } })
  await control('POST', '/faults', { match: { path: `/official/v24.0/${seeded.accountId}` }, drop: true })
  const coded = await graph('GET', seeded.phoneId)
  t.is(coded.status, 401)
  t.like(coded.body.error, { code: 138000, message: '(#138000) Calling not enabled' })
  const limited = await graph('GET', seeded.phoneId)
  t.is(limited.status, 429)
  t.like(limited.body.error, {
    code: 130429,
    is_transient: true,
    error_data: { messaging_product: 'whatsapp', details: 'slow down' },
  })
  t.like(await graph('GET', seeded.phoneId), { status: 500 })
  t.deepEqual((await graph('GET', seeded.phoneId)).body, { tea: true })
  await t.throwsAsync(graph('GET', seeded.accountId))
  t.is((await graph('GET', seeded.phoneId)).status, 200)
  await close()
})

test('the ledger lists requests without tokens and session descriptions', async (t) => {
  const { seeded, graph, get, base, close } = await startOfficial()
  await graph('POST', `${seeded.phoneId}/calls`, {
    messaging_product: 'whatsapp',
    action: 'connect',
    to: `${USER}0001`,
    session: { sdp_type: 'offer', sdp: 'secret sdp' },
  })
  await fetch(`${base}/official/v24.0/${seeded.phoneId}?access_token=${seeded.accessToken}`)
  const { requests } = await get('/control/requests?path=/official')
  t.like(requests[0], {
    kind: 'official',
    method: 'POST',
    numberId: seeded.phoneId,
    number: BUSINESS,
    fields: { action: 'connect', has_session: true },
  })
  t.is(requests.length, 2)
  t.false(JSON.stringify(requests).includes('secret sdp'))
  t.false(JSON.stringify(requests).includes(seeded.accessToken))
  await close()
})

test('a reset forgets numbers and the shift of time', async (t) => {
  const { seeded, graph, post, advance, control, close } = await startOfficial()
  await advance(3_600_000)
  await post('/control/reset')
  t.is((await graph('GET', seeded.phoneId)).body.error.code, 190)
  t.deepEqual((await control('GET', '/official/numbers')).body, { numbers: [] })
  const { now } = (await control('POST', '/official/clock', { advanceMs: 0 })).body
  t.true(Date.parse(now) - Date.now() < 60_000)
  await close()
})
