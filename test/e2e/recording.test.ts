import test from 'ava'
import { dominantHz, sine } from '../../tools/demo/signal.ts'
import { amplitudeAt } from '../helpers/audio-signal.ts'
import { DECODED_HZ, decodeChannel, readRecording } from '../helpers/recording-reader.ts'
import { Service, type PairedNumber } from '../helpers/service.ts'
import { SessionClient } from '../helpers/session-client.ts'
import { TONE_PEER } from '../helpers/speaking-bot.ts'
import { until } from '../helpers/until.ts'

const OWN_HZ = 1_000

let service: Service
let number: PairedNumber

test.before(async () => {
  service = await Service.start({ isSplit: true })
  number = await service.pairNumber()
})

test.after.always(async () => {
  await service?.stop()
})

async function recordedCall(): Promise<{ callId: string; client: SessionClient }> {
  const body = { to: `+${TONE_PEER}`, record: true }
  const { id: callId } = (await service.api('POST', '/v1/calls', number.key, body)).body
  const { wsUrl } = (await service.api('POST', `/v1/calls/${callId}/realtime-session`, number.key)).body
  const client = await SessionClient.connect(wsUrl)
  await client.untilStatus('ACCEPTED')
  return { callId, client }
}

async function say(client: SessionClient, ms: number): Promise<void> {
  client.speak(sine(OWN_HZ, ms, 16_000))
  client.send({ type: 'mark', name: `said ${ms}` })
  await client.until('mark', (message) => message.name === `said ${ms}`)
}

async function ask(callId: string, method = 'GET'): Promise<[number, string | undefined]> {
  const { status, body } = await service.api(method, `/v1/calls/${callId}/recording`, number.key)
  return [status, body?.code]
}

async function download(callId: string) {
  await until('the recording is whole', async () => (await ask(callId))[0] === 200)
  const response = await fetch(`${service.base}/v1/calls/${callId}/recording`, { headers: { 'x-api-key': number.key } })
  return { type: response.headers.get('content-type'), bytes: Buffer.from(await response.arrayBuffer()) }
}

async function eventsOf(callId: string, name: string): Promise<any[]> {
  return (await service.events(number, name)).filter(({ data }) => data.id === callId || data.callId === callId)
}

/** The 20 ms slots in which our tone is heard. */
function slotsWithTone(samples: Int16Array): number {
  const slot = DECODED_HZ / 50
  return Array.from({ length: samples.length / slot }, (_, at) =>
    amplitudeAt(samples.subarray(at * slot, (at + 1) * slot), DECODED_HZ, OWN_HZ),
  ).filter((amplitude) => amplitude > 1_000).length
}

// [voice.recordings.1] [voice.recordings.2] [voice.recordings.3] [voice.recordings.4] [voice.recordings.6]
// [voice.recordings.7] [voice.recordings.11]
test.serial('a recorded call has the peer left and us right, is told of, and is deleted', async (t) => {
  const { callId, client } = await recordedCall()
  t.deepEqual(await ask(callId), [409, 'RECORDING_RUNNING'])
  t.deepEqual(await ask(callId, 'DELETE'), [409, 'RECORDING_RUNNING'])
  await say(client, 1_000)
  client.send({ type: 'mute', on: true })
  await say(client, 1_500)
  await service.endCall(number, callId)
  const { type, bytes } = await download(callId)
  t.is(type, 'audio/ogg')
  const { left, right, durationMs, isEnded } = readRecording(bytes)
  t.true(isEnded)
  t.is(Math.round(dominantHz(await decodeChannel(left), DECODED_HZ) / 10), 44)
  const toneSlots = slotsWithTone(await decodeChannel(right))
  t.true(toneSlots >= 45 && toneSlots <= 55, `our tone lasts ${toneSlots} slots of 50 that were not muted`)

  const recordingUrl = `/v1/calls/${callId}/recording`
  t.is((await eventsOf(callId, 'call.ended'))[0]?.data.recordingUrl, recordingUrl)
  const told = await eventsOf(callId, 'call.recorded')
  const durationSeconds = Math.round(durationMs / 1_000)
  t.deepEqual(
    told.map(({ data }) => data),
    [{ callId, recordingUrl, durationSeconds, channels: 2, sizeBytes: bytes.length, cutShort: null }],
  )
  const read = async () => (await service.api('GET', `/v1/calls/${callId}`, number.key)).body.recordingUrl
  t.is(await read(), recordingUrl)
  t.deepEqual(await ask(callId, 'DELETE'), [200, undefined])
  t.deepEqual(await ask(callId), [404, 'RECORDING_NOT_FOUND'])
  t.is(await read(), null)
})

// [voice.recordings.9]
test.serial('a media host that is killed leaves a playable recording up to its last second', async (t) => {
  const { callId, client } = await recordedCall()
  await say(client, 2_000)
  await service.media?.kill()
  await service.startMedia()
  await service.untilCall(number, callId, ['FAILED'])
  const { left, right, isEnded } = readRecording((await download(callId)).bytes)
  t.false(isEnded)
  t.is(left.length, right.length)
  const toneSlots = slotsWithTone(await decodeChannel(right))
  t.true(toneSlots >= 45, `our tone of 100 slots lasts ${toneSlots}`)
  t.is((await eventsOf(callId, 'call.recorded'))[0]?.data.cutShort, 'HOST_LOST')
})

test.serial('a recording goes on while its gateway is gone, and the next one fetches it', async (t) => {
  const { callId, client } = await recordedCall()
  await say(client, 500)
  await service.gateway.kill()
  await say(client, 1_500)
  await service.startGateway()
  const terminate = () => service.api('POST', `/v1/calls/${callId}/terminate`, number.key)
  await until('the next gateway ends the call', async () => (await terminate()).status === 200)
  const { right, isEnded } = readRecording((await download(callId)).bytes)
  t.true(isEnded)
  const toneSlots = slotsWithTone(await decodeChannel(right))
  t.true(toneSlots >= 95 && toneSlots <= 105, `our tone of 100 slots lasts ${toneSlots}`)
})
