import test from 'ava'
import { setTimeout as pause } from 'node:timers/promises'
import { dominantHz, rms, sine } from '../../src/demo/signal.ts'
import { SessionClient } from '../helpers/session-client.ts'
import { Service } from '../helpers/service.ts'
import { until } from '../helpers/until.ts'

let service: Service

test.before(async () => {
  service = await Service.start()
})

test.after.always(async () => {
  await service?.stop()
})

async function talkingCall(peer: string, query: string) {
  const number = await service.pairNumber()
  const placed = await service.placeCall(number, peer)
  const session = await service.api('POST', `/v1/calls/${placed.id}/realtime-session`, number.key)
  const client = await SessionClient.connect(session.body.wsUrl, query)
  await client.untilStatus('ACCEPTED')
  return { number, placed, client }
}

test.serial('ten seconds of a tone through the socket reach the phone at the same frequency and level, without a gap', async (t) => {
  const { number, placed, client } = await talkingCall('5511990000001', 'rate=16000')
  const tone = sine(1_000, 10_000, 16_000, 0.3)
  client.speak(tone)
  client.send({ type: 'mark', name: 'end' })
  await client.until('mark', (message) => message.name === 'end' && message.status === 'played')
  await pause(300)
  const { body } = await service.control('GET', `/calls/${placed.externalCallId}`)
  t.true(Math.abs(body.heard.dominantHz - 1_000) < 15, `heard ${body.heard.dominantHz} Hz`)
  const { body: recent } = await service.control('GET', `/calls/${placed.externalCallId}?window=5000`)
  const levelDb = 20 * Math.log10(recent.heard.rms / rms(tone))
  t.true(Math.abs(levelDb) < 2, `level differs by ${levelDb.toFixed(2)} dB`)
  t.deepEqual(body.heard.gaps.filter((gap: { ms: number }) => gap.ms > 20), [])
  await service.api('POST', `/v1/calls/${placed.id}/terminate`, number.key)
})

for (const rate of [8_000, 16_000, 24_000, 48_000]) {
  test.serial(`the phone's tone arrives as exactly 50 frames a second at ${rate} Hz`, async (t) => {
    const { number, placed, client } = await talkingCall('5511990000006', `rate=${rate}`)
    t.is(client.first, 'start')
    const from = client.frameSizes.length
    const fromMs = Date.now()
    await until('ten seconds of frames came', () => client.frameSizes.length - from >= 500)
    const seconds = (Date.now() - fromMs) / 1000
    t.true(Math.abs((client.frameSizes.length - from) / seconds - 50) <= 1, `${(client.frameSizes.length - from) / seconds} frames a second`)
    t.deepEqual([...new Set(client.frameSizes)], [rate / 50 * 2])
    const heard = client.audio(from * rate / 50).subarray(rate * 2, rate * 4)
    t.true(Math.abs(dominantHz(heard, rate) - 440) <= 10)
    t.true(rms(heard) > 0.05)
    await service.api('POST', `/v1/calls/${placed.id}/terminate`, number.key)
    const ended = await service.untilCall(number, placed.id, ['COMPLETED'])
    await client.untilClosed()
    const called = client.samples / rate
    t.true(Math.abs(called - (Date.parse(ended.endedAt) - Date.parse(ended.connectedAt)) / 1000) < 0.3, `${called} s of samples`)
  })

  test.serial(`a tone sent at ${rate} Hz is heard at its frequency and level`, async (t) => {
    const { number, placed, client } = await talkingCall('5511990000001', `rate=${rate}`)
    const tone = sine(700, 3_000, rate, 0.3)
    client.speak(tone)
    client.send({ type: 'mark', name: 'end' })
    await client.until('mark', (message) => message.status === 'played')
    const { body } = await service.control('GET', `/calls/${placed.externalCallId}?window=1500`)
    t.true(Math.abs(body.heard.dominantHz - 700) < 15, `heard ${body.heard.dominantHz} Hz`)
    t.true(Math.abs(20 * Math.log10(body.heard.rms / rms(tone))) < 2)
    await service.api('POST', `/v1/calls/${placed.id}/terminate`, number.key)
  })
}

test.serial('digits pass both ways', async (t) => {
  const { number, placed, client } = await talkingCall('5511990000001', '')
  await until('the phone sends the digits', async () => (await service.control('POST', `/calls/${placed.externalCallId}/dtmf`, { digits: '5#' })).status < 300)
  await client.until('dtmf', (message) => message.digit === '#')
  t.deepEqual(client.of('dtmf').map((message) => message.digit), ['5', '#'])
  client.send({ type: 'dtmf', digits: '42*' })
  await until('the phone heard the digits', async () => {
    const { body } = await service.control('GET', `/calls/${placed.externalCallId}`)
    return body.heard.digits === '42*'
  })
  await service.api('POST', `/v1/calls/${placed.id}/terminate`, number.key)
})
