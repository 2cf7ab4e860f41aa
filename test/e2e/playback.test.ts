import test from 'ava'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { dominantHz, rms, sine, wavFile } from '../../tools/demo/signal.ts'
import { SessionClient } from '../helpers/session-client.ts'
import type { PairedNumber, Service } from '../helpers/service.ts'
import { GUARDED, joinService } from '../helpers/shared-service.ts'
import { PATIENCE_MS, until } from '../helpers/until.ts'

let service: Service
let guarded: Service
let number: PairedNumber
let files: { base: string; close(): void }

/** Serves `/<hz>/<ms>.wav`, a tone of that frequency and length, and `/redirect?to=...`. */
async function serveTones(): Promise<typeof files> {
  const server = createServer({ keepAliveTimeout: PATIENCE_MS }, (request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const redirect = url.searchParams.get('to')
    if (redirect !== null) {
      response.writeHead(302, { location: redirect }).end()
      return
    }
    const [, hz, name] = url.pathname.split('/')
    if (hz === 'text') {
      response.writeHead(200, { 'content-type': 'audio/mpeg' }).end('<html>not audio</html>')
      return
    }
    response
      .writeHead(200, { 'content-type': 'audio/wav' })
      .end(wavFile(sine(Number(hz), Number.parseInt(name ?? '', 10), 44_100, 0.3), 44_100))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => void server.close() }
}

test.before(async () => {
  files = await serveTones()
  ;[service, guarded] = await Promise.all([joinService(), joinService(GUARDED)])
  number = await service.pairNumber()
})

test.after.always(async () => {
  files?.close()
})

async function heardHz(externalCallId: string, windowMs: number): Promise<number> {
  return (await service.control('GET', `/calls/${externalCallId}?window=${windowMs}`)).body.heard.dominantHz
}

/** The tones of a list that the phone has heard, in order. */
async function tonesHeard(externalCallId: string, tones: readonly number[]): Promise<number[]> {
  const response = await fetch(
    `http://127.0.0.1:${service.ports['sandboxPort']}/control/calls/${externalCallId}/heard.wav`,
  )
  const wav = Buffer.from(await response.arrayBuffer())
  const rate = wav.readUInt32LE(24)
  const samples = Int16Array.from({ length: (wav.length - 44) >> 1 }, (_, at) => wav.readInt16LE(44 + at * 2))
  const piece = rate / 4
  const heard = Array.from({ length: Math.floor(samples.length / piece) }, (_, nth) =>
    samples.subarray(nth * piece, (nth + 1) * piece),
  ).flatMap((part) => (rms(part) < 0.05 ? [] : tones.filter((hz) => Math.abs(dominantHz(part, rate) - hz) < 15)))
  return heard.filter((hz, at) => hz !== heard[at - 1])
}

// [calls.routes.12] [calls.play.1] [calls.play.4]
test('a file played before the answer starts on the answer', async (t) => {
  const { body: rung } = await service.control('POST', '/peers/5511970005678/calls', { to: number.digits })
  const call = await service.untilCall(number, rung.callId, ['RINGING'])
  const mediaUrl = `${files.base}/600/60000.wav`
  const played = await service.api('POST', `/v1/calls/${call.id}/play`, number.key, { mediaUrl })
  t.deepEqual([played.status, played.body.status], [200, 'RINGING'])
  t.deepEqual((await service.api('GET', `/v1/calls/${call.id}`, number.key)).body.playback, [
    { mediaUrl, status: 'QUEUED' },
  ])
  await service.api('POST', `/v1/calls/${call.id}/accept`, number.key)
  await until('the phone hears the file', async () => Math.abs((await heardHz(call.externalCallId, 500)) - 600) < 15)
  t.deepEqual((await service.api('GET', `/v1/calls/${call.id}`, number.key)).body.playback, [
    { mediaUrl, status: 'PLAYING' },
  ])
  await service.endCall(number, call.id)
})

// [calls.routes.12] [calls.play.4]
test('two files play one after the other, and hangupAfterPlay ends the call COMPLETED with the right duration', async (t) => {
  const placed = await service.placeCall(number, '5511990000001')
  await service.untilCall(number, placed.id, ['ACCEPTED'])
  const first = await service.api('POST', `/v1/calls/${placed.id}/play`, number.key, {
    mediaUrl: `${files.base}/500/2000.wav`,
  })
  const second = await service.api('POST', `/v1/calls/${placed.id}/play`, number.key, {
    mediaUrl: `${files.base}/900/2000.wav`,
    hangupAfterPlay: true,
  })
  t.deepEqual([first.body.success, second.body.success], [true, true])
  const ended = await service.untilCall(number, placed.id, ['COMPLETED'])
  // Reads what the phone recorded, because a look during the playback could come too late for either tone.
  t.deepEqual(await tonesHeard(placed.externalCallId, [500, 900]), [500, 900])
  t.true(ended.durationSeconds >= 4, String(ended.durationSeconds))
  t.is(ended.durationSeconds, Math.round((Date.parse(ended.endedAt) - Date.parse(ended.connectedAt)) / 1000))
  t.deepEqual(
    ended.playback.map((file: any) => file.status),
    ['FINISHED', 'FINISHED'],
  )
})

// [calls.states.11] [calls.play.7] [calls.play.8]
test('a file that is no audio, and a host that is not there, are refused with their codes', async (t) => {
  const placed = await service.placeCall(number, '5511990000001')
  const text = await service.api('POST', `/v1/calls/${placed.id}/play`, number.key, {
    mediaUrl: `${files.base}/text/x.mp3`,
  })
  t.deepEqual([text.status, text.body.code], [422, 'MEDIA_UNSUPPORTED'])
  const nobody = await service.api('POST', `/v1/calls/${placed.id}/play`, number.key, {
    mediaUrl: 'http://127.0.0.1:29999/x.mp3',
  })
  t.deepEqual([nobody.status, nobody.body.code], [422, 'MEDIA_DOWNLOAD_FAILED'])
  const ftp = await service.api('POST', `/v1/calls/${placed.id}/play`, number.key, {
    mediaUrl: 'ftp://example.com/x.mp3',
  })
  t.is(ftp.status, 400)
  await service.endCall(number, placed.id)
  const late = await service.api('POST', `/v1/calls/${placed.id}/play`, number.key, {
    mediaUrl: `${files.base}/500/100.wav`,
  })
  t.deepEqual([late.status, late.body.code], [409, 'CALL_INVALID_STATE'])
})

test('audio of the socket waits behind a file', async (t) => {
  const placed = await service.placeCall(number, '5511990000001')
  const session = await service.api('POST', `/v1/calls/${placed.id}/realtime-session`, number.key)
  const client = await SessionClient.connect(session.body.wsUrl)
  await client.untilStatus('ACCEPTED')
  client.send({ type: 'play', mediaUrl: `${files.base}/500/1500.wav` })
  await client.until('play', (message) => message.status === 'queued')
  client.speak(sine(1_200, 1_000, 16_000))
  client.send({ type: 'mark', name: 'words' })
  await client.until('mark', (message) => message.name === 'words')
  const order = client.messages
    .filter((message) => message.type === 'mark' || (message.type === 'play' && message['status'] === 'finished'))
    .map((message) => message.type)
  t.deepEqual(order, ['play', 'mark'])
  await service.endCall(number, placed.id)
})

// [calls.play.7]
test('guarded addresses are refused in every spelling', async (t) => {
  const guardedNumber = await guarded.pairNumber()
  const placed = await guarded.placeCall(guardedNumber, '5511990000001')
  const port = new URL(files.base).port
  const forms = [
    `http://127.0.0.1:${port}/500/100.wav`,
    `http://[::1]:${port}/500/100.wav`,
    'http://169.254.169.254/latest/meta-data',
    `http://2130706433:${port}/500/100.wav`,
    `http://0x7f000001:${port}/500/100.wav`,
    `http://0177.0.0.1:${port}/500/100.wav`,
    `http://127.1:${port}/500/100.wav`,
    `http://localhost:${port}/500/100.wav`,
    `http://[::ffff:127.0.0.1]:${port}/500/100.wav`,
    'https://user:pw@example.com/a.wav',
  ]
  for (const mediaUrl of forms) {
    const played = await guarded.api('POST', `/v1/calls/${placed.id}/play`, guardedNumber.key, { mediaUrl })
    t.deepEqual(
      [played.status, played.body.code, played.body.details[0].path],
      [400, 'MEDIA_URL_FORBIDDEN', 'mediaUrl'],
      mediaUrl,
    )
  }
  await guarded.endCall(guardedNumber, placed.id)
})

test('a redirect to a guarded address is refused', async (t) => {
  const placed = await service.placeCall(number, '5511990000001')
  const played = await service.api('POST', `/v1/calls/${placed.id}/play`, number.key, {
    mediaUrl: `${files.base}/?to=${encodeURIComponent('http://169.254.169.254/x.mp3')}`,
  })
  t.deepEqual([played.status, played.body.code], [400, 'MEDIA_URL_FORBIDDEN'])
  await service.endCall(number, placed.id)
})
