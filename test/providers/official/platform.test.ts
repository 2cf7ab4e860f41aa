import test from 'ava'
import type { Outcome } from '../../../src/domain/errors.ts'
import { createOfficialPlatform } from '../../../src/providers/official/platform.ts'
import { CREDENTIALS, graphError, rig } from './scripted-graph.ts'
import type { Scripted } from './scripted-graph.ts'

const PHONE: Scripted = {
  json: {
    id: '1001', display_phone_number: '+1 555-012-3456', verified_name: 'Shop', quality_rating: 'GREEN', status: 'CONNECTED',
    whatsapp_business_manager_messaging_limit: 'TIER_2K',
  },
}
const OWN_ACCOUNT: Scripted = { json: { data: [{ id: '999' }, { id: '1001' }] } }
const HEALTH = { number: '15550123456', qualityRating: 'GREEN', messagingLimitTier: 'TIER_2K', officialStatus: 'CONNECTED' }

function refusal(outcome: Outcome<unknown>) {
  return outcome.ok ? null : outcome.error
}

test('health is read from the phone, and its account is checked', async (t) => {
  const { server, graph } = await rig(t)
  server.on('GET /1001', PHONE).on('GET /2002/phone_numbers', OWN_ACCOUNT)
  t.deepEqual(await createOfficialPlatform(graph).readHealth(CREDENTIALS), { ok: true, value: HEALTH })
})

test('health holds null for what upstream left out', async (t) => {
  const { server, graph } = await rig(t)
  server.on('GET /1001', { json: { id: '1001', display_phone_number: '15550123456' } }).on('GET /2002/phone_numbers', OWN_ACCOUNT)
  t.deepEqual(await createOfficialPlatform(graph).readHealth(CREDENTIALS), {
    ok: true, value: { number: '15550123456', qualityRating: null, messagingLimitTier: null, officialStatus: null },
  })
})

test('the phone is looked for on every page of its account', async (t) => {
  const { server, graph } = await rig(t)
  server.on('GET /1001', PHONE).on(
    'GET /2002/phone_numbers',
    { json: { data: [{ id: '1' }], paging: { cursors: { after: 'next-one' }, next: 'https://elsewhere/' } } },
    OWN_ACCOUNT,
  )
  t.true((await createOfficialPlatform(graph).readHealth(CREDENTIALS)).ok)
  t.is(server.asked.filter(({ path }) => path === '/2002/phone_numbers')[1]?.query['after'], 'next-one')
})

test('a phone of another account is refused', async (t) => {
  const { server, graph } = await rig(t)
  server.on('GET /1001', PHONE).on('GET /2002/phone_numbers', { json: { data: [{ id: '999' }], paging: { cursors: { after: 'x' } } } })
  t.like(refusal(await createOfficialPlatform(graph).readHealth(CREDENTIALS)), { code: 'OFFICIAL_CREDENTIALS_REJECTED', details: { upstreamCode: null } })
})

for (const [what, path] of [['phone', '/1001'], ['account', '/2002/phone_numbers']] as const) {
  for (const [code, status] of [[190, 401], [100, 400], [10, 403], [200, 403]] as const) {
    test(`upstream ${code} on the ${what} rejects the credentials with upstream's reason`, async (t) => {
      const { server, graph } = await rig(t)
      server.on('GET /1001', PHONE).on('GET /2002/phone_numbers', OWN_ACCOUNT).on(`GET ${path}`, graphError(code, status))
      const error = refusal(await createOfficialPlatform(graph).readHealth(CREDENTIALS))
      t.like(error, { code: 'OFFICIAL_CREDENTIALS_REJECTED', details: { upstreamCode: code, upstreamMessage: `(#${code}) Title` } })
      t.true(error?.message.includes(`(#${code}) Title`))
    })
  }
}

test('a failing upstream says nothing of the credentials', async (t) => {
  const { server, graph } = await rig(t)
  server.on('GET /1001', graphError(2, 503)).on('GET /2002/phone_numbers', OWN_ACCOUNT)
  t.like(refusal(await createOfficialPlatform(graph).readHealth(CREDENTIALS)), { code: 'OFFICIAL_ERROR' })
})

test('the account is subscribed with our callback and its token', async (t) => {
  const { server, graph } = await rig(t)
  server.on('POST /2002/subscribed_apps', { json: { success: true } })
  t.true((await createOfficialPlatform(graph).subscribe(CREDENTIALS, 'https://us.example/webhooks/official/2002', 'verify-me')).ok)
  t.deepEqual(server.asked[0]?.body, { override_callback_uri: 'https://us.example/webhooks/official/2002', verify_token: 'verify-me' })
})

test('calling is enabled, or waits for the tier or the webhook field', async (t) => {
  const { server, graph } = await rig(t)
  const platform = createOfficialPlatform(graph)
  for (const [answer, expected] of [
    [{ json: { success: true } }, 'ENABLED'], [graphError(138015), 'PENDING_TIER'], [graphError(138018), 'PENDING_WEBHOOK'],
  ] as const) {
    server.on('POST /1001/settings', answer)
    t.deepEqual(await platform.enableCalling(CREDENTIALS), { ok: true, value: expected })
  }
  t.deepEqual(server.asked[0]?.body, { calling: { status: 'ENABLED' } })
  server.on('POST /1001/settings', graphError(138014))
  t.like(refusal(await platform.enableCalling(CREDENTIALS)), { code: 'OFFICIAL_REQUEST_REFUSED', details: { upstreamCode: 138014 } })
})

test('settings are read without SIP, and its credentials are never asked for', async (t) => {
  const { server, graph } = await rig(t)
  server.on('GET /1001/settings', { json: { calling: { status: 'ENABLED', sip: { status: 'ENABLED', servers: [{ sip_user_password: 'x' }] } }, other: 1 } })
  t.deepEqual(await createOfficialPlatform(graph).readCallSettings(CREDENTIALS), { ok: true, value: { status: 'ENABLED' } })
  t.deepEqual(server.asked[0]?.query, {})
})

test('written settings are answered as read back', async (t) => {
  const { server, graph } = await rig(t)
  server.on('POST /1001/settings', graphError(2, 500), { json: { success: true } })
  server.on('GET /1001/settings', { json: { calling: { status: 'ENABLED', call_icon_visibility: 'DEFAULT' } } })
  t.deepEqual(await createOfficialPlatform(graph).writeCallSettings(CREDENTIALS, { call_icon_visibility: 'DEFAULT' }), {
    ok: true, value: { status: 'ENABLED', call_icon_visibility: 'DEFAULT' },
  })
  t.deepEqual(server.asked.map(({ method }) => method), ['POST', 'POST', 'GET'])
  t.deepEqual(server.asked[0]?.body, { calling: { call_icon_visibility: 'DEFAULT' } })
})

test('refused settings are not read back', async (t) => {
  const { server, graph } = await rig(t)
  server.on('POST /1001/settings', graphError(100))
  t.like(refusal(await createOfficialPlatform(graph).writeCallSettings(CREDENTIALS, { call_hours: {} })), { code: 'OFFICIAL_REQUEST_REFUSED' })
  t.is(server.asked.length, 1)
})

test('a permission is read with its actions and limits, without what is not shown', async (t) => {
  const { server, graph } = await rig(t)
  server.on('GET /1001/call_permissions', {
    json: {
      messaging_product: 'whatsapp', permission: { status: 'temporary', expiration_time: 1_753_186_982 },
      actions: [
        { action_name: 'start_call', can_perform_action: true, limits: [{ time_period: 'PT24H', max_allowed: 100, current_usage: 1, limit_expiration_time: 9 }, {}] },
        { action_name: 'send_call_permission_request', can_perform_action: false },
        null,
      ],
    },
  })
  t.deepEqual(await createOfficialPlatform(graph).readCallPermission(CREDENTIALS, '5511988887777'), {
    ok: true,
    value: {
      permission: { status: 'temporary', expiration_time: 1_753_186_982 },
      actions: [
        { action_name: 'start_call', can_perform_action: true, limits: [{ time_period: 'PT24H', max_allowed: 100, current_usage: 1 }] },
        { action_name: 'send_call_permission_request', can_perform_action: false, limits: [] },
      ],
    },
  })
  t.deepEqual(server.asked[0]?.query, { user_wa_id: '5511988887777' })
})

test('a permission that does not expire says so', async (t) => {
  const { server, graph } = await rig(t)
  server.on('GET /1001/call_permissions', { json: { permission: { status: 'no_permission' } } })
  t.deepEqual(await createOfficialPlatform(graph).readCallPermission(CREDENTIALS, '5511988887777'), {
    ok: true, value: { permission: { status: 'no_permission', expiration_time: null }, actions: [] },
  })
})

test('an answer without a permission is upstream’s fault', async (t) => {
  const { server, graph } = await rig(t)
  server.on('GET /1001/call_permissions', { json: {} })
  t.like(refusal(await createOfficialPlatform(graph).readCallPermission(CREDENTIALS, '5511988887777')), { code: 'OFFICIAL_ERROR' })
})

test('a permission is asked for once, as an interactive message', async (t) => {
  const { server, graph } = await rig(t)
  const platform = createOfficialPlatform(graph)
  server.on('POST /1001/messages', { json: { messages: [{ id: 'wamid.A' }] } })
  t.deepEqual(await platform.requestCallPermission(CREDENTIALS, '5511988887777', 'May we call?'), { ok: true, value: { messageId: 'wamid.A' } })
  t.deepEqual(server.asked[0]?.body, {
    messaging_product: 'whatsapp', recipient_type: 'individual', to: '5511988887777', type: 'interactive',
    interactive: { type: 'call_permission_request', action: { name: 'call_permission_request' }, body: { text: 'May we call?' } },
  })
  server.asked.length = 0
  server.on('POST /1001/messages', graphError(2, 503))
  t.like(refusal(await platform.requestCallPermission(CREDENTIALS, '5511988887777', 'May we call?')), { code: 'OFFICIAL_ERROR' })
  t.is(server.asked.length, 1)
  server.on('POST /1001/messages', graphError(138009))
  t.like(refusal(await platform.requestCallPermission(CREDENTIALS, '5511988887777', 'x')), { code: 'OFFICIAL_CALL_PERMISSION_REQUEST_LIMIT' })
})
