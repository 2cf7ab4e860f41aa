import test from 'ava'
import { WebSocket } from 'ws'
import { decodeMulaw, encodeMulaw } from '../../../media-host/audio/mulaw.ts'
import { MediaHostRig, ramp } from '../../helpers/media-host-rig.ts'
import { until } from '../../helpers/until.ts'
import type { CallId } from '../../../src/domain/ids.ts'

let rig: MediaHostRig

test.beforeEach(async () => {
  rig = await MediaHostRig.start()
})

test.afterEach.always(async () => {
  await rig.stop()
})

/** A client that knows nothing of `pcm16.v1`. */
async function stock(callId: CallId, query: string) {
  const { wsUrl } = await rig.mint(callId)
  const socket = new WebSocket(`${wsUrl}&${query}`)
  const texts: any[] = []
  const frames: Buffer[] = []
  let code: number | null = null
  socket.on('message', (raw: Buffer, isBinary) => void (isBinary ? frames.push(raw) : texts.push(JSON.parse(raw.toString()))))
  socket.on('close', (closedWith) => { code = closedWith })
  await until('the first text is there', () => texts.length > 0)
  return {
    socket, texts, frames,
    send: (message: object) => socket.send(JSON.stringify(message)),
    /** Waits until all sent so far has been read. */
    async settled() {
      let isBack = false
      socket.once('pong', () => { isBack = true })
      socket.ping()
      await until('the pong is back', () => isBack)
    },
    untilClosed: () => until('the socket closes', () => code),
  }
}

test('mu-law has the code words of G.711 and loses little', (t) => {
  t.deepEqual([...encodeMulaw(Int16Array.of(0, -1, 32_767, -32_768, 1_000, -1_000))], [0xff, 0x7f, 0x80, 0x00, 0xce, 0x4e])
  t.deepEqual([...decodeMulaw(Uint8Array.of(0xff, 0x7f, 0x80, 0x00, 0xce))], [0, 0, 32_124, -32_124, 988])
  for (let code = 0; code < 256; code++) {
    const [again] = encodeMulaw(decodeMulaw(Uint8Array.of(code)))
    t.is(again, code === 0x7f ? 0xff : code)
  }
})

test.serial('a client made for Vonage is greeted, heard, cleared and notified in its own words', async (t) => {
  const callId = await rig.call()
  const client = await stock(callId, 'dialect=vonage&rate=24000&prebufferMs=0')
  t.deepEqual(client.texts, [{ event: 'websocket:connected', 'content-type': 'audio/l16;rate=24000' }])
  client.socket.send(Buffer.from(ramp(480).buffer))
  client.send({ action: 'notify', payload: { step: 1 } })
  await client.settled()
  rig.mediaClock.tick(2)
  t.deepEqual(rig.leg.heard(), [...ramp(480)])
  await until('it is notified', () => client.texts.length === 2)
  t.deepEqual(client.texts[1], { event: 'websocket:notify', payload: { step: 1 } })
  t.deepEqual(client.frames.map((frame) => frame.length), [960, 960])
  client.send({ action: 'clear' })
  rig.leg.events.digit('5', 240)
  await until('both are told', () => client.texts.length === 4)
  t.deepEqual(client.texts.slice(2).toSorted((a, b) => a.event.localeCompare(b.event)), [
    { event: 'websocket:cleared' }, { event: 'websocket:dtmf', digit: '5', duration: 240 },
  ])
})

test.serial('a client made for Twilio gets connected, start, mu-law media, marks, digits and stop', async (t) => {
  const callId = await rig.call()
  const client = await stock(callId, 'dialect=twilio&rate=48000&prebufferMs=0')
  await until('it is greeted', () => client.texts.length === 2)
  t.deepEqual(client.texts[0], { event: 'connected', protocol: 'Call', version: '1.0.0' })
  t.like(client.texts[1], { event: 'start', streamSid: callId, start: { accountSid: callId, callSid: callId, mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8_000, channels: 1 } } })
  const codes = Uint8Array.from({ length: 160 }, (_, i) => i)
  client.send({ event: 'media', streamSid: callId, media: { payload: Buffer.from(codes).toString('base64') } })
  client.send({ event: 'mark', streamSid: callId, mark: { name: 'said' } })
  await client.settled()
  rig.mediaClock.tick(2)
  t.deepEqual(rig.leg.heard(), [...decodeMulaw(codes)])
  await until('media and mark are there', () => client.texts.length === 5)
  const media = client.texts.filter(({ event }) => event === 'media')
  t.deepEqual(media.map((text) => [text.media.chunk, text.media.timestamp, Buffer.from(text.media.payload, 'base64').length]), [['1', '0', 160], ['2', '20', 160]])
  t.like(client.texts.find(({ event }) => event === 'mark'), { streamSid: callId, mark: { name: 'said' } })
  client.send({ event: 'media', media: { payload: Buffer.alloc(8_000).toString('base64') } })
  client.send({ event: 'mark', mark: { name: 'lost' } })
  client.send({ event: 'clear' })
  await until('the cleared mark comes back', () => client.texts.some((text) => text.mark?.name === 'lost'))
  await rig.control.do('close', { callId, status: 'COMPLETED' })
  t.is(await client.untilClosed(), 1000)
  t.like(client.texts.at(-1), { event: 'stop', streamSid: callId, stop: { accountSid: callId, callSid: callId } })
  t.deepEqual(client.frames, [])
})

test.serial('a binary message closes a Twilio client 1003', async (t) => {
  const client = await stock(await rig.call(), 'dialect=twilio')
  client.socket.send(Buffer.alloc(160))
  t.is(await client.untilClosed(), 1003)
})
