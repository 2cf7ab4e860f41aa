import test, { type ExecutionContext } from 'ava'
import { dominantHz, rms, sine } from '../../tools/demo/signal.ts'
import { SessionClient } from '../helpers/session-client.ts'
import type { Service } from '../helpers/service.ts'
import { joinService } from '../helpers/shared-service.ts'
import { until } from '../helpers/until.ts'

let service: Service

test.before(async () => {
  service = await joinService()
})

/**
 * Begins a call whose socket the test closes at its end, because a failed test would otherwise keep its process alive.
 */
async function talkingCall(t: ExecutionContext, peer: string, query: string) {
  const number = await service.pairNumber()
  const placed = await service.placeCall(number, peer)
  const session = await service.api('POST', `/v1/calls/${placed.id}/realtime-session`, number.key)
  const client = await SessionClient.connect(session.body.wsUrl, query)
  t.teardown(() => client.socket.terminate())
  await client.untilStatus('ACCEPTED')
  return { number, placed, client }
}

test('seconds of a tone through the socket reach the phone at the same frequency and level, without a hole', async (t) => {
  const { number, placed, client } = await talkingCall(t, '5511990000001', 'rate=16000')
  const tone = sine(1_000, 5_000, 16_000, 0.3)
  client.speak(tone)
  client.send({ type: 'mark', name: 'end' })
  await client.until('mark', (message) => message.name === 'end' && message.status === 'played')
  const { heard } = (await service.control('GET', `/calls/${placed.externalCallId}`)).body
  t.true(Math.abs(heard.dominantHz - 1_000) < 15, `heard ${heard.dominantHz} Hz`)
  const levelDb = 20 * Math.log10(heard.rms / rms(tone))
  t.true(Math.abs(levelDb) < 2, `level differs by ${levelDb.toFixed(2)} dB`)
  t.deepEqual(
    heard.gaps.filter((gap: { kind: string }) => gap.kind === 'silence'),
    [],
  )
  await service.endCall(number, placed.id)
})

for (const rate of [8_000, 16_000, 24_000, 48_000]) {
  test(`the phone's tone arrives in frames of 20 ms at ${rate} Hz`, async (t) => {
    const { number, placed, client } = await talkingCall(t, '5511990000006', `rate=${rate}`)
    t.is(client.first, 'start')
    // On a busy machine the sound may break now and then, so this waits for a whole second of the tone.
    await until('a second of the tone came', () => {
      const heard = client.audio().subarray(-rate)
      return heard.length === rate && Math.abs(dominantHz(heard, rate) - 440) <= 10 && rms(heard) > 0.05
    })
    t.deepEqual([...new Set(client.frameSizes)], [(rate / 50) * 2])
    await service.endCall(number, placed.id)
    await client.untilClosed()
  })

  test(`a tone sent at ${rate} Hz is heard at its frequency and level`, async (t) => {
    const { number, placed, client } = await talkingCall(t, '5511990000001', `rate=${rate}`)
    const tone = sine(700, 3_000, rate, 0.3)
    client.speak(tone)
    client.send({ type: 'mark', name: 'end' })
    await client.until('mark', (message) => message.status === 'played')
    const { body } = await service.control('GET', `/calls/${placed.externalCallId}`)
    t.true(Math.abs(body.heard.dominantHz - 700) < 15)
    t.true(Math.abs(20 * Math.log10(body.heard.rms / rms(tone))) < 2)
    await service.endCall(number, placed.id)
  })
}

test('digits pass both ways', async (t) => {
  const { number, placed, client } = await talkingCall(t, '5511990000001', '')
  await until(
    'the phone sends the digits',
    async () => (await service.control('POST', `/calls/${placed.externalCallId}/dtmf`, { digits: '5#' })).status < 300,
  )
  await client.until('dtmf', (message) => message.digit === '#')
  t.deepEqual(
    client.of('dtmf').map((message) => message.digit),
    ['5', '#'],
  )
  client.send({ type: 'dtmf', digits: '42*' })
  await until('the phone heard the digits', async () => {
    const { body } = await service.control('GET', `/calls/${placed.externalCallId}`)
    return body.heard.digits === '42*'
  })
  await service.endCall(number, placed.id)
})
