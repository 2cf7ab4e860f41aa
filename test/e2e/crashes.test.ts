import test from 'ava'
import { LOGIN_FAILURES } from '../../src/domain/user.ts'
import { asksOver, letIn, signInOwner } from '../helpers/oauth-browser.ts'
import { OAuthClient, type AskOAuth } from '../helpers/oauth-client.ts'
import { SessionClient } from '../helpers/session-client.ts'
import { batch, callEvents, connectOfficial, postSigned } from '../helpers/official-service.ts'
import { clientAt, invite, logIn, PASSWORD, person, post } from '../helpers/people.ts'
import { call, Service } from '../helpers/service.ts'
import { sideBySide } from '../helpers/side-by-side.ts'
import { until } from '../helpers/until.ts'

let service: Service

/** Stories that share one kill of a gateway with everything embedded. The serial tests end before it. */
const killed = sideBySide(test, {
  // Nothing happens here, so what a story does next happens directly before the kill.
  async present() {},
  async kill() {
    await service.gateway.kill('SIGKILL')
    await service.startGateway()
  },
})

test.before(async () => {
  service = await Service.start()
})

test.after.always(async () => {
  await service?.stop()
})

test.serial('kill -9 of the media host: its calls end FAILED with call.ended, and the next call works', async (t) => {
  const number = await service.pairNumber()
  const calls = await service.acceptedCalls(number, 3)
  const [pid] = service.gateway.childPids('media-host/main.ts')
  if (pid === undefined) throw new Error('no media host runs')
  process.kill(pid, 'SIGKILL')
  for (const id of calls) {
    const row = await service.untilCall(number, id, ['FAILED'])
    t.truthy(row.errorCode)
    t.is((await service.events(number, 'call.ended')).filter(({ data }) => data.id === id).length, 1)
  }
  const next = await until('a call is placed again', async () => {
    const placed = await service.api('POST', '/v1/calls', number.key, { to: '5511990000001' })
    return placed.status === 201 ? placed.body : null
  })
  await service.untilCall(number, next.id, ['ACCEPTED'])
  const session = await service.api('POST', `/v1/calls/${next.id}/realtime-session`, number.key)
  const client = await SessionClient.connect(session.body.wsUrl)
  await client.until('start', (message) => message.status === 'ACCEPTED')
  await until('audio flows', () => client.samples > 8_000)
  client.close()
  await service.endCall(number, next.id)
})

killed('kill -9 of everything embedded: the number reconnects by its stored credentials', async (t, reach) => {
  const number = await service.pairNumber()
  const [id = ''] = await service.acceptedCalls(number, 1)
  await reach('present')
  await reach('kill')
  await service.untilState(number.id, 'OPEN')
  t.is((await service.untilCall(number, id, ['FAILED'])).errorCode, 'NODE_LOST')
  const again = await service.placeCall(number, '5511990000001')
  await service.untilCall(number, again.id, ['ACCEPTED'])
  await service.endCall(number, again.id)
})

test.serial(
  'a dropped device socket loses no event: a call that ended meanwhile is known after the reconnect',
  async (t) => {
    const number = await service.pairNumber()
    const placed = await service.placeCall(number, '5511990000001')
    const row = await service.untilCall(number, placed.id, ['ACCEPTED'])
    await service.control('POST', `/devices/${number.digits}/drop`)
    await service.control('POST', `/calls/${row.externalCallId}/hangup`)
    const ended = await service.untilCall(number, placed.id, ['COMPLETED'])
    t.is(typeof ended.durationSeconds, 'number')
    await service.untilState(number.id, 'OPEN')
  },
)

test.serial('logged out from the phone: CLOSE with number.disconnected, and pairing starts anew', async (t) => {
  const number = await service.pairNumber()
  await service.control('POST', `/devices/${number.digits}/logout`)
  await service.untilState(number.id, 'CLOSE')
  await until('number.disconnected is stored', async () =>
    (await service.events(number)).some((event) => event.event === 'number.disconnected'),
  )
  const code = await service.api('POST', `/v1/numbers/${number.id}/connect`, service.tenantKey)
  t.is(code.status, 200)
  t.regex(code.body.qrcodeBase64, /^data:image\/png;base64,/)
})

killed(
  'changes that the upstream told before a kill -9 are worked off after it, none of them twice',
  async (t, reach) => {
    const number = await connectOfficial(service)
    const ids = Array.from({ length: 30 }, (_, i) => `wacid.kill${i}`)
    const connect = (id: string) =>
      `{"field":"calls","value":{"metadata":{"phone_number_id":"${number.phoneId}","display_phone_number":"${number.digits}"},"calls":[{"id":"${id}","event":"connect","from":"5511990000001","to":"${number.digits}","direction":"USER_INITIATED","timestamp":"1800000000","session":{"sdp_type":"offer","sdp":"v=0\\r\\no=- 1 1 IN IP4 127.0.0.1\\r\\ns=-\\r\\nt=0 0\\r\\nm=audio 9 UDP/TLS/RTP/SAVPF 111\\r\\n"}}]}}`
    const end = (id: string) =>
      `{"field":"calls","value":{"metadata":{"phone_number_id":"${number.phoneId}"},"calls":[{"id":"${id}","event":"terminate","direction":"USER_INITIATED","timestamp":"1800000005","status":"FAILED"}]}}`
    await reach('present')
    t.is((await postSigned(number, batch(number, [...ids.map(connect), ...ids.map(end)]))).status, 200)
    await reach('kill')
    const calls = await until('every call is over', async () => {
      const { body } = await service.api('GET', '/v1/calls?limit=100', number.key)
      return body.calls?.length === ids.length && body.calls.every((call: any) => call.status === 'MISSED')
        ? body.calls
        : null
    })
    for (const call of calls) t.deepEqual(await callEvents(service, number, call.id), ['call.ringing', 'call.missed'])
  },
)

killed(
  'kill -9 during logins: sessions survive, an invitation is either used or not, failures still count, and no secret of a session was logged',
  async (t, reach) => {
    const by = { tenantKey: { raw: service.tenantKey } }
    const before = clientAt(service.base)
    const [ann, bob] = [await person(before, by, 'AGENT'), await invite(before, by, 'AGENT')]
    const [guessed, again] = [await person(before, by, 'AGENT'), 'a password of nobody']
    for (let i = 0; i < LOGIN_FAILURES.ofAddress; i++) t.is((await logIn(before, guessed.email, again)).status, 401)
    await reach('present')
    const accepting = post(before, '/api/invitations/accept', { token: bob.token, password: PASSWORD }).then(
      ({ status }) => status,
      () => null,
    )
    const logged = service.gateway.output
    await reach('kill')
    const answered = await accepting
    const client = clientAt(service.base)
    t.is((await client.send('GET', '/api/session', { headers: { cookie: ann.cookie } })).status, 200)
    t.is((await logIn(client, ann.email)).status, 200)
    t.is((await logIn(client, guessed.email)).status, 429)
    const isIn = (await logIn(client, bob.email)).status === 200
    const late = await post(client, '/api/invitations/accept', { token: bob.token, password: PASSWORD })
    t.is(late.status, isIn ? 404 : 200)
    if (answered === 200) t.true(isIn)
    const text = [...logged, ...service.gateway.output].join('')
    t.true(text.includes('/api/invitations/accept'))
    for (const secret of [PASSWORD, again, bob.token, ann.token, ann.cookie.split('=')[1] ?? '', ann.csrfToken])
      t.false(text.includes(secret))
  },
)

killed(
  'kill -9 between consent and token, or between refresh and answer: no token that was answered is lost, and each grant is listed and can be ended',
  async (t, reach) => {
    const by = await signInOwner(service, service.tenantKey)
    const ask: AskOAuth = (...asked) => asksOver(service)(...asked)
    const isLive = async (token: string) =>
      (await call('GET', `${service.base}/v1/numbers`, { headers: { authorization: `Bearer ${token}` } })).status
      === 200
    const grantsOf = async ({ id }: OAuthClient) =>
      (await by.send('GET', '/api/grants')).body.grants.filter(({ clientId }: any) => clientId === id)
    const [steady, consented, refreshing] = [
      await OAuthClient.register(ask),
      await OAuthClient.register(ask),
      await OAuthClient.register(ask),
    ]
    const answered = await letIn(by, steady)
    const before = await letIn(by, refreshing)
    const asked = await consented.askConsent()
    const logged = service.gateway.output
    await reach('present')
    t.is((await by.decide(asked)).status, 200)
    const unanswered = refreshing.refresh(before.refresh_token).catch(() => null)
    await reach('kill')
    t.true(await isLive(answered.access_token))
    t.is((await steady.refresh(answered.refresh_token)).status, 200)
    const [untaken] = await grantsOf(consented)
    t.is(
      (await by.send('DELETE', `/api/grants/${untaken.id}`)).status,
      200,
      'a grant whose code nobody redeemed can be ended',
    )
    t.is((await grantsOf(refreshing)).length, 1)
    const told = await unanswered
    if (told?.status === 200) t.true(await isLive(told.body.access_token), 'it was answered just before')
    // The client repeats the request that got no answer. Either its token is still valid, or it was used up and the
    // grant ends.
    const again = await refreshing.refresh(before.refresh_token)
    t.is((await grantsOf(refreshing)).length, again.status === 200 ? 1 : 0)
    t.is(await isLive(before.access_token), again.status === 200)
    const text = [...logged, ...service.gateway.output].join('')
    t.true(text.includes('/oauth/token'))
    for (const secret of [
      answered.access_token,
      answered.refresh_token,
      before.refresh_token,
      asked.verifier,
      asked.id,
      asked.cookie.split('=')[1] ?? '',
      steady.id,
    ])
      t.false(text.includes(secret))
  },
)
