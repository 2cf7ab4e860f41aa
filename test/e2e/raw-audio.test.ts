import test, { type ExecutionContext } from 'ava'
import { dominantHz, rms, sine } from '../../tools/demo/signal.ts'
import type { PairedNumber, Service } from '../helpers/service.ts'
import { SessionClient } from '../helpers/session-client.ts'
import { joinService } from '../helpers/shared-service.ts'
import { until } from '../helpers/until.ts'

const RATE = 16_000
/** Samples in 200 ms. */
const PIECE = RATE / 5

let service: Service

test.before(async () => {
  service = await joinService()
})

interface Talk {
  readonly number: PairedNumber
  readonly id: string
  readonly externalCallId: string
  readonly client: SessionClient
}

async function rawNumber(): Promise<PairedNumber> {
  const number = await service.pairNumber()
  const { body } = await service.control('POST', `/devices/${number.digits}/media`, { kind: 'pcm16' })
  if (body.kind !== 'pcm16') throw new Error(JSON.stringify(body))
  // The change restarts the session, so this waits until it is open again.
  await service.untilState(number.id, 'OPEN')
  return number
}

async function open(t: ExecutionContext, number: PairedNumber, id: string): Promise<SessionClient> {
  const session = await service.api('POST', `/v1/calls/${id}/realtime-session`, number.key)
  const client = await SessionClient.connect(session.body.wsUrl, `rate=${RATE}`)
  t.teardown(() => client.socket.terminate())
  return client
}

/** Starts a call from the number to a peer, over raw audio. */
async function talk(t: ExecutionContext, peer: string): Promise<Talk> {
  const number = await rawNumber()
  const { id, externalCallId } = await service.placeCall(number, peer)
  const client = await open(t, number, id)
  await client.untilStatus('ACCEPTED')
  return { number, id, externalCallId, client }
}

async function heardOf(externalCallId: string): Promise<any> {
  return (await service.control('GET', `/calls/${externalCallId}`)).body.heard
}

// [engines.pcm16.1]
test('the echo call over raw audio: the tone reaches the phone and comes back, at its frequency and level, a slot of samples each 20 ms', async (t) => {
  const { number, id, externalCallId, client } = await talk(t, '5511990000001')
  const tone = sine(1_000, 5_000, RATE, 0.3)
  client.speak(tone)
  client.send({ type: 'mark', name: 'end' })
  await client.until('mark', (message) => message.name === 'end' && message.status === 'played')
  const heard = await heardOf(externalCallId)
  t.true(Math.abs(heard.dominantHz - 1_000) < 15, `heard ${heard.dominantHz} Hz`)
  t.true(Math.abs(20 * Math.log10(heard.rms / rms(tone))) < 2, `${heard.rms}`)
  await until('the echo came', () => {
    const echo = client.audio().subarray(-RATE)
    return (
      echo.length === RATE
      && client.samples > RATE * 2
      && [...Array(10).keys()].some((part) => {
        const piece = client.audio().subarray(-RATE * (part + 2), -RATE * (part + 1))
        return piece.length === RATE && Math.abs(dominantHz(piece, RATE) - 1_000) <= 15 && rms(piece) > 0.1
      })
    )
  })
  t.deepEqual([...new Set(client.frameSizes)], [(RATE / 50) * 2])
  await service.endCall(number, id)
  await client.untilClosed()
  t.is(
    (
      await until('the peer knows', async () => {
        const { body } = await service.control('GET', `/calls/${externalCallId}`)
        return body.state === 'ENDED' ? body : null
      })
    ).reason,
    'hangup',
  )
})

test('digits travel both ways over raw audio', async (t) => {
  const { number, id, externalCallId, client } = await talk(t, '5511990000001')
  client.send({ type: 'dtmf', digits: '12#' })
  await until('the phone heard the digits', async () => (await heardOf(externalCallId)).digits === '12#')
  t.is((await service.control('POST', `/calls/${externalCallId}/dtmf`, { digits: '9*' })).status, 200)
  await until(
    'the bot heard the digits',
    () =>
      client
        .of('dtmf')
        .map(({ digit }) => digit)
        .join('') === '9*',
  )
  await service.endCall(number, id)
})

test('an inbound call of raw audio is answered, and its peer is heard', async (t) => {
  const number = await rawNumber()
  const { body: rung } = await service.control('POST', '/peers/5511970001234/calls', {
    to: number.digits,
    audio: 'tone',
  })
  const call = await until('the call rings', async () => {
    const found = await service.api('GET', `/v1/calls/${rung.callId}`, number.key)
    return found.status === 200 ? found.body : null
  })
  const client = await open(t, number, call.id)
  t.is((await service.api('POST', `/v1/calls/${call.id}/accept`, number.key, {})).status, 200)
  await until('a second of the tone came', () => {
    const heard = client.audio().subarray(-RATE)
    return heard.length === RATE && Math.abs(dominantHz(heard, RATE) - 440) <= 10 && rms(heard) > 0.05
  })
  await service.endCall(number, call.id)
})

test('raw audio that drops goes on when it is back within 10 s, and ends the call as MEDIA_LOST when it is not', async (t) => {
  const { number, id, externalCallId, client } = await talk(t, '5511990000006')
  const hearsSince = (from: number) =>
    until('the tone is heard', () => {
      const heard = client.audio(from).subarray(-RATE / 2)
      return heard.length === RATE / 2 && rms(heard) > 0.05
    })
  await hearsSince(0)
  const dropped = client.samples
  t.is((await service.control('POST', `/calls/${externalCallId}/drop-media`, { awayMs: 1_500 })).status, 200)
  await until('it is silent meanwhile', () => {
    const since = client.audio(dropped)
    // The recording contains the silence, however late this looks.
    return [...Array(Math.floor(since.length / PIECE)).keys()].some(
      (nth) => rms(since.subarray(nth * PIECE, (nth + 1) * PIECE)) < 0.001,
    )
  })
  await hearsSince(client.samples)
  t.is((await service.api('GET', `/v1/calls/${id}`, number.key)).body.status, 'ACCEPTED')
  t.is((await service.control('POST', `/calls/${externalCallId}/drop-media`, { awayMs: 3_600_000 })).status, 200)
  const ended = await service.untilCall(number, id, ['FAILED', 'COMPLETED'])
  t.is(ended.status, 'FAILED')
  t.is(ended.errorCode, 'MEDIA_LOST')
})
