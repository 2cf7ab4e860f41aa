import test from 'ava'
import { SessionClient } from '../helpers/session-client.ts'
import { Service, type PairedNumber } from '../helpers/service.ts'
import { until } from '../helpers/until.ts'

let embedded: Service
let split: Service

test.before(async () => {
  embedded = await Service.start()
  split = await Service.start({ isSplit: true })
})

test.after.always(async () => {
  await embedded?.stop()
  await split?.stop()
})

async function endedEvents(service: Service, number: PairedNumber, callId: string): Promise<any[]> {
  return (await service.events(number)).filter((event) => event.data.id === callId && event.event === 'call.ended')
}

async function acceptedCalls(service: Service, number: PairedNumber, count: number): Promise<string[]> {
  const placed = await Promise.all(Array.from({ length: count }, () => service.placeCall(number, '5511990000001')))
  await Promise.all(placed.map(({ id }) => service.untilCall(number, id, ['ACCEPTED'])))
  return placed.map(({ id }) => id)
}

test.serial('kill -9 of the media host: its calls end FAILED with call.ended, and the next call works', async (t) => {
  const service = embedded
  const number = await service.pairNumber()
  const calls = await acceptedCalls(service, number, 3)
  const [pid] = service.gateway.childPids('media-host/main.ts')
  process.kill(pid ?? 0, 'SIGKILL')
  for (const id of calls) {
    const row = await service.untilCall(number, id, ['FAILED'])
    t.truthy(row.errorCode)
    t.is((await endedEvents(service, number, id)).length, 1)
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
})

test.serial('kill -9 of the gateway alone: no call stays live without its leg, and numbers reconnect without a new QR', async (t) => {
  const service = split
  const number = await service.pairNumber()
  const calls = await acceptedCalls(service, number, 2)
  const ringing = await service.placeCall(number, '5511990000003')
  await service.gateway.kill('SIGKILL')
  await service.startGateway()
  await service.untilState(number.id, 'OPEN')
  for (const id of [...calls, ringing.id]) {
    const row = await service.untilCall(number, id, ['FAILED'])
    t.is(row.errorCode, 'NODE_LOST')
    t.is((await endedEvents(service, number, id)).length, 1)
    await until('the phone is told', async () => (await service.control('GET', `/calls/${row.externalCallId}`)).body.state === 'ENDED')
  }
  const next = await service.placeCall(number, '5511990000001')
  await service.untilCall(number, next.id, ['ACCEPTED'])
})

test.serial('kill -9 of everything embedded: the number reconnects by its stored credentials', async (t) => {
  const service = embedded
  const number = await service.pairNumber()
  const [id = ''] = await acceptedCalls(service, number, 1)
  await service.gateway.kill('SIGKILL')
  await service.startGateway()
  await service.untilState(number.id, 'OPEN')
  t.is((await service.untilCall(number, id, ['FAILED'])).errorCode, 'NODE_LOST')
  const again = await service.placeCall(number, '5511990000001')
  await service.untilCall(number, again.id, ['ACCEPTED'])
})

test.serial('a media host restarted under a running gateway is found again', async (t) => {
  const service = split
  const number = await service.pairNumber()
  const [id = ''] = await acceptedCalls(service, number, 1)
  await service.media?.kill('SIGKILL')
  await service.startMedia()
  await service.untilCall(number, id, ['FAILED'])
  const placed = await until('a call is placed again', async () => {
    const answer = await service.api('POST', '/v1/calls', number.key, { to: '5511990000001' })
    return answer.status === 201 ? answer.body : null
  })
  t.is((await service.untilCall(number, placed.id, ['ACCEPTED'])).status, 'ACCEPTED')
})

test.serial('a dropped device socket loses no event: a call that ended meanwhile is known after the reconnect', async (t) => {
  const service = embedded
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
  const service = embedded
  const number = await service.pairNumber()
  await service.control('POST', `/devices/${number.digits}/logout`)
  await service.untilState(number.id, 'CLOSE')
  await until('number.disconnected is stored', async () => (await service.events(number)).some((event) => event.event === 'number.disconnected'))
  const code = await service.api('POST', `/v1/numbers/${number.id}/connect`, service.tenantKey)
  t.is(code.status, 200)
  t.regex(code.body.qrcodeBase64, /^data:image\/png;base64,/)
})
