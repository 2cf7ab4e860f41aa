import test from 'ava'
import { until } from '../../../helpers/until.ts'
import { BUSINESS, startCallable, USER, type OfficialPlayground } from '../official-playground.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const SDP = [
  'v=0',
  'm=audio 9 UDP/TLS/RTP/SAVPF 111',
  'a=rtpmap:111 opus/48000/2',
  'a=setup:active',
  'a=fingerprint:sha-256 AA',
  '',
].join('\r\n')

/** The user writes first, which opens the window. */
function write({ control }: OfficialPlayground, user: string) {
  return control('POST', `/peers/${user}/messages`, { to: BUSINESS, type: 'text', text: 'hi' })
}

function ask({ graph, seeded }: OfficialPlayground, user: string) {
  return graph('POST', `${seeded.phoneId}/messages`, {
    messaging_product: 'whatsapp',
    to: user,
    type: 'interactive',
    interactive: {
      type: 'call_permission_request',
      body: { text: 'May we call?' },
      action: { name: 'call_permission_request' },
    },
  })
}

async function read({ graph, seeded }: OfficialPlayground, user: string) {
  return (await graph('GET', `${seeded.phoneId}/call_permissions?user_wa_id=${user}`)).body
}

function code({ body }: { body: any }): number | null {
  return body.error?.code ?? null
}

test('a request inside the window is accepted for 7 days, told by webhook, and ends without a word', async (t) => {
  const official = await startCallable()
  const { receiver, advance } = official
  const user = `${USER}0001`
  t.like(await read(official, user), { permission: { status: 'no_permission' } })
  await write(official, user)
  const { status, body } = await ask(official, user)
  t.is(status, 200)
  await advance(1_000)
  const [reply] = await until('the reply came', () => (receiver.replies().length > 0 ? receiver.replies() : null))
  t.like(reply, { response: 'accept', is_permanent: false, response_source: 'user_action' })
  const message = receiver.messages().find(({ type }) => type === 'interactive')
  t.deepEqual(message.context, { from: BUSINESS, id: body.messages[0].id })
  const granted = await read(official, user)
  t.is(granted.permission.status, 'temporary')
  t.is(granted.permission.expiration_time, reply.expiration_timestamp)
  t.is(granted.permission.expiration_time, Number(message.timestamp) + 7 * 86_400)
  t.like(granted.actions[1], { action_name: 'start_call', can_perform_action: true })
  const before = receiver.posts.length
  await advance(7 * DAY_MS)
  t.deepEqual((await read(official, user)).permission, { status: 'no_permission' })
  t.is(receiver.posts.length, before)
  await official.close()
})

test('a request outside the window is refused and not counted', async (t) => {
  const official = await startCallable()
  const { advance } = official
  const user = `${USER}0001`
  t.is(code(await ask(official, user)), 131047)
  await write(official, user)
  await advance(DAY_MS)
  t.is(code(await ask(official, user)), 131047)
  t.is((await read(official, user)).actions[0].limits[0].current_usage, 0)
  await official.close()
})

test('one request in 24 h and two in 7 days go out', async (t) => {
  const official = await startCallable()
  const { advance } = official
  const user = `${USER}0003`
  await write(official, user)
  t.is((await ask(official, user)).status, 200)
  const second = await ask(official, user)
  t.is(second.status, 400)
  t.is(code(second), 138009)
  t.like((await read(official, user)).actions[0], {
    action_name: 'send_call_permission_request',
    can_perform_action: false,
    limits: [
      { time_period: 'PT24H', max_allowed: 1, current_usage: 1 },
      { time_period: 'P7D', max_allowed: 2, current_usage: 1 },
    ],
  })
  t.truthy((await read(official, user)).actions[0].limits[0].limit_expiration_time)
  t.is((await read(official, user)).actions[0].limits[1].limit_expiration_time, undefined)
  await advance(DAY_MS)
  await write(official, user)
  t.is((await ask(official, user)).status, 200)
  await advance(DAY_MS)
  await write(official, user)
  t.is(code(await ask(official, user)), 138009)
  await advance(5 * DAY_MS)
  await write(official, user)
  t.is((await ask(official, user)).status, 200)
  await official.close()
})

test('a connected call sets the request counters back', async (t) => {
  const official = await startCallable()
  const { advance, receiver, graph, seeded } = official
  const user = `${USER}0001`
  await write(official, user)
  await ask(official, user)
  await advance(1_000)
  await until('permission came', () => receiver.replies().length > 0)
  const { body } = await graph('POST', `${seeded.phoneId}/calls`, {
    messaging_product: 'whatsapp',
    to: user,
    action: 'connect',
    session: { sdp_type: 'offer', sdp: SDP },
  })
  await receiver.callStatus(body.calls[0].id, 'ACCEPTED')
  t.like((await read(official, user)).actions, [
    { can_perform_action: true, limits: [{ current_usage: 0 }] },
    { limits: [{ max_allowed: 100, current_usage: 1 }] },
  ])
  await official.close()
})

test('a user ending in 0002 refuses, one ending in 0003 never answers', async (t) => {
  const official = await startCallable()
  const { advance, receiver } = official
  await write(official, `${USER}0002`)
  await write(official, `${USER}0003`)
  await ask(official, `${USER}0003`)
  await ask(official, `${USER}0002`)
  await advance(DAY_MS)
  await until('the reply came', () => receiver.replies().length > 0)
  t.deepEqual(receiver.replies(), [{ response: 'reject', is_permanent: false, response_source: 'user_action' }])
  t.is((await read(official, `${USER}0002`)).permission.status, 'no_permission')
  await official.close()
})

test('a user may grant a permission forever and revoke it, without a request', async (t) => {
  const official = await startCallable()
  const { permit, receiver, advance } = official
  const user = `${USER}0009`
  t.like((await permit(user, 'accept', true)).body, { permission: { status: 'permanent' } })
  await advance(30 * DAY_MS)
  const granted = await read(official, user)
  t.deepEqual(granted.permission, { status: 'permanent' })
  t.false(granted.actions[0].can_perform_action)
  await write(official, user)
  t.is(code(await ask(official, user)), 138017)
  t.like((await permit(user, 'revoke')).body, { permission: { status: 'no_permission' } })
  await until('both came', () => receiver.replies().length === 2)
  t.deepEqual(receiver.replies(), [
    { response: 'accept', is_permanent: true, response_source: 'user_action' },
    { response: 'reject', is_permanent: false, response_source: 'user_action' },
  ])
  t.true(receiver.messages().every(({ context }) => context === undefined))
  t.is(
    (await official.control('POST', `/peers/${user}/permissions`, { to: '551149999999', response: 'accept' })).status,
    404,
  )
  await official.close()
})

test('four calls in a row without an answer take the permission away', async (t) => {
  const official = await startCallable()
  const { permit, receiver, graph, seeded, advance } = official
  const user = `${USER}0002`
  await permit(user)
  for (let calls = 0; calls < 4; calls++) {
    const { body } = await graph('POST', `${seeded.phoneId}/calls`, {
      messaging_product: 'whatsapp',
      to: user,
      action: 'connect',
      session: { sdp_type: 'offer', sdp: SDP },
    })
    await receiver.callStatus(body.calls[0].id, 'RINGING')
    await advance(1_000)
    await receiver.callEvent(body.calls[0].id, 'terminate')
  }
  await until('the revocation came', () => receiver.replies().length === 2)
  t.like(receiver.replies()[1], { response: 'reject', response_source: 'automatic' })
  t.is((await read(official, user)).permission.status, 'no_permission')
  await official.close()
})

test('with callback permission on, a call of the user grants 7 days by itself', async (t) => {
  const official = await startCallable()
  const { receiver, graph, seeded, control, post } = official
  await graph('POST', `${seeded.phoneId}/settings`, { calling: { callback_permission_status: 'ENABLED' } })
  const { callId } = (await control('POST', `/peers/${USER}0001/calls`, { to: BUSINESS })).body
  await post(`/control/calls/${callId}/hangup`)
  await until('the reply came', () => receiver.replies().length > 0)
  t.like(receiver.replies()[0], { response: 'accept', is_permanent: false, response_source: 'automatic' })
  t.is(receiver.messages()[0].context.id, callId)
  t.is((await read(official, `${USER}0001`)).permission.status, 'temporary')
  await official.close()
})

test('permissions of a user who cannot be called read as none, without calling they are an error', async (t) => {
  const official = await startCallable()
  const { graph, seeded } = official
  t.is((await read(official, `${USER}0004`)).permission.status, 'no_permission')
  t.is((await graph('GET', `${seeded.phoneId}/call_permissions`)).body.error.code, 100)
  await graph('POST', `${seeded.phoneId}/settings`, { calling: { status: 'DISABLED' } })
  t.is((await read(official, `${USER}0001`)).error.code, 138000)
  await official.close()
})

test('a number for tests may ask 25 times a day', async (t) => {
  const official = await startCallable({ accountMode: 'SANDBOX' })
  await write(official, `${USER}0003`)
  for (let requests = 0; requests < 25; requests++) t.is((await ask(official, `${USER}0003`)).status, 200)
  t.is(code(await ask(official, `${USER}0003`)), 138009)
  await official.close()
})
