import test from 'ava'
import { SessionClient } from '../helpers/session-client.ts'
import { batch, callEvents, connectOfficial, postSigned } from '../helpers/official-service.ts'
import { Service } from '../helpers/service.ts'
import { sideBySide } from '../helpers/side-by-side.ts'
import { until } from '../helpers/until.ts'

let service: Service

/** Stories of one kill of everything embedded; the others, which are serial, are over before. */
const killed = sideBySide(test, {
  // So that what is done between the two is done just before the kill.
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
  process.kill(pid ?? 0, 'SIGKILL')
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

test.serial('a dropped device socket loses no event: a call that ended meanwhile is known after the reconnect', async (t) => {
  const number = await service.pairNumber()
  const placed = await service.placeCall(number, '5511990000001')
  const row = await service.untilCall(number, placed.id, ['ACCEPTED'])
  await service.control('POST', `/devices/${number.digits}/drop`)
  await service.control('POST', `/calls/${row.externalCallId}/hangup`)
  const ended = await service.untilCall(number, placed.id, ['COMPLETED'])
  t.is(typeof ended.durationSeconds, 'number')
  await service.untilState(number.id, 'OPEN')
})

test.serial('logged out from the phone: CLOSE with number.disconnected, and pairing starts anew', async (t) => {
  const number = await service.pairNumber()
  await service.control('POST', `/devices/${number.digits}/logout`)
  await service.untilState(number.id, 'CLOSE')
  await until('number.disconnected is stored', async () => (await service.events(number)).some((event) => event.event === 'number.disconnected'))
  const code = await service.api('POST', `/v1/numbers/${number.id}/connect`, service.tenantKey)
  t.is(code.status, 200)
  t.regex(code.body.qrcodeBase64, /^data:image\/png;base64,/)
})

killed('what upstream told before a kill -9 is worked off after it, and nothing twice', async (t, reach) => {
  const number = await connectOfficial(service)
  const ids = Array.from({ length: 30 }, (_, i) => `wacid.kill${i}`)
  const connect = (id: string) => `{"field":"calls","value":{"metadata":{"phone_number_id":"${number.phoneId}","display_phone_number":"${number.digits}"},"calls":[{"id":"${id}","event":"connect","from":"5511990000001","to":"${number.digits}","direction":"USER_INITIATED","timestamp":"1800000000","session":{"sdp_type":"offer","sdp":"v=0\\r\\no=- 1 1 IN IP4 127.0.0.1\\r\\ns=-\\r\\nt=0 0\\r\\nm=audio 9 UDP/TLS/RTP/SAVPF 111\\r\\n"}}]}}`
  const end = (id: string) => `{"field":"calls","value":{"metadata":{"phone_number_id":"${number.phoneId}"},"calls":[{"id":"${id}","event":"terminate","direction":"USER_INITIATED","timestamp":"1800000005","status":"FAILED"}]}}`
  await reach('present')
  t.is((await postSigned(number, batch(number, [...ids.map(connect), ...ids.map(end)]))).status, 200)
  await reach('kill')
  const calls = await until('every call is over', async () => {
    const { body } = await service.api('GET', '/v1/calls?limit=100', number.key)
    return body.calls?.length === ids.length && body.calls.every((call: any) => call.status === 'MISSED') ? body.calls : null
  })
  for (const call of calls) t.deepEqual(await callEvents(service, number, call.id), ['call.ringing', 'call.missed'])
})
