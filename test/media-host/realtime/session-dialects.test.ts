import test from 'ava'
import { WebSocket } from 'ws'
import { decodeMulaw, encodeMulaw } from '../../../media-host/audio/mulaw.ts'
import { firstDifference } from '../../helpers/first-difference.ts'
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

/** A client that does not know `pcm16.v1`. */
async function stock(callId: CallId, query: string) {
  const { wsUrl } = await rig.mint(callId)
  const socket = new WebSocket(`${wsUrl}&${query}`)
  const texts: any[] = []
  const frames: Buffer[] = []
  let code: number | null = null
  socket.on(
    'message',
    (raw: Buffer, isBinary) => void (isBinary ? frames.push(raw) : texts.push(JSON.parse(raw.toString()))),
  )
  socket.on('close', (closedWith) => {
    code = closedWith
  })
  await until('the first text is there', () => texts.length > 0)
  return {
    socket,
    texts,
    frames,
    code: () => code,
    send: (message: object) => socket.send(JSON.stringify(message)),
    /** Waits until the host has read everything that was sent. */
    async settled() {
      let isBack = false
      socket.once('pong', () => {
        isBack = true
      })
      socket.ping()
      await until('the pong is back', () => isBack)
    },
    untilClosed: () => until('the socket closes', () => code),
  }
}

test('mu-law has the code words of G.711 and loses little', (t) => {
  t.deepEqual(
    [...encodeMulaw(Int16Array.of(0, -1, 32_767, -32_768, 1_000, -1_000))],
    [0xff, 0x7f, 0x80, 0x00, 0xce, 0x4e],
  )
  t.deepEqual([...decodeMulaw(Uint8Array.of(0xff, 0x7f, 0x80, 0x00, 0xce))], [0, 0, 32_124, -32_124, 988])
  for (let code = 0; code < 256; code++) {
    const [again] = encodeMulaw(decodeMulaw(Uint8Array.of(code)))
    t.is(again, code === 0x7f ? 0xff : code)
  }
})

// [realtime.dialects.1]
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
  t.deepEqual(
    client.frames.map((frame) => frame.length),
    [960, 960],
  )
  client.send({ action: 'clear' })
  rig.leg.events.digit('5', 240)
  await until('both are told', () => client.texts.length === 4)
  t.deepEqual(
    client.texts.slice(2).toSorted((a, b) => a.event.localeCompare(b.event)),
    [{ event: 'websocket:cleared' }, { event: 'websocket:dtmf', digit: '5', duration: 240 }],
  )
})

// [realtime.dialects.1]
test.serial('a client made for Twilio gets connected, start, mu-law media, marks, digits and stop', async (t) => {
  const callId = await rig.call()
  const client = await stock(callId, 'dialect=twilio&rate=48000&prebufferMs=0')
  await until('it is greeted', () => client.texts.length === 2)
  t.deepEqual(client.texts[0], { event: 'connected', protocol: 'Call', version: '1.0.0' })
  const { streamSid } = client.texts[1]
  t.regex(streamSid, /^rts_/)
  t.regex(client.texts[1].start.accountSid, /^ten_/)
  t.like(client.texts[1], {
    event: 'start',
    start: {
      streamSid,
      callSid: callId,
      mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8_000, channels: 1 },
    },
  })
  const codes = Uint8Array.from({ length: 160 }, (_, i) => i)
  client.send({ event: 'media', streamSid, media: { payload: Buffer.from(codes).toString('base64') } })
  client.send({ event: 'mark', streamSid, mark: { name: 'said' } })
  await client.settled()
  rig.mediaClock.tick(2)
  t.deepEqual(rig.leg.heard(), [...decodeMulaw(codes)])
  await until('media and mark are there', () => client.texts.length === 5)
  const media = client.texts.filter(({ event }) => event === 'media')
  t.deepEqual(
    media.map((text) => [text.media.chunk, text.media.timestamp, Buffer.from(text.media.payload, 'base64').length]),
    [
      ['1', '0', 160],
      ['2', '20', 160],
    ],
  )
  t.like(
    client.texts.find(({ event }) => event === 'mark'),
    { streamSid, mark: { name: 'said' } },
  )
  client.send({ event: 'media', media: { payload: Buffer.alloc(8_000).toString('base64') } })
  client.send({ event: 'mark', mark: { name: 'lost' } })
  client.send({ event: 'clear' })
  await until('the cleared mark comes back', () => client.texts.some((text) => text.mark?.name === 'lost'))
  await rig.control.do('close', { callId, status: 'COMPLETED' })
  t.is(await client.untilClosed(), 1000)
  const { accountSid } = client.texts[1].start
  t.like(client.texts.at(-1), { event: 'stop', streamSid, stop: { accountSid, callSid: callId } })
  t.deepEqual(client.frames, [])
})

// [realtime.closing.5]
test.serial('a binary message closes a Twilio client 1003', async (t) => {
  const client = await stock(await rig.call(), 'dialect=twilio')
  client.socket.send(Buffer.alloc(160))
  t.is(await client.untilClosed(), 1003)
})

/** Lets time pass until the peer has heard this many samples. */
async function play(samples: number, { slots, ms } = { slots: 50, ms: 20 }): Promise<void> {
  await until('all is heard', () => {
    rig.clock.advance(ms)
    rig.mediaClock.tick(slots)
    return heardSamples() >= samples
  })
}

function heardSamples(): number {
  return rig.leg.sent.reduce((sum, frame) => sum + (frame.kind === 'pcm' ? frame.samples.length : 0), 0)
}

const SILENT_MESSAGE = JSON.stringify({
  event: 'media',
  media: { payload: Buffer.alloc(160, 0xff).toString('base64') },
})

// [realtime.dialects.2]
test.serial('ten seconds in messages of 20 ms at once are played to their end, in both dialects', async (t) => {
  const vonage = await stock(await rig.call(), 'dialect=vonage&prebufferMs=0')
  const bytes = Buffer.from(ramp(160_000).buffer)
  for (let at = 0; at < bytes.length; at += 640) vonage.socket.send(bytes.subarray(at, at + 640))
  vonage.send({ action: 'notify', payload: 'said' })
  await play(160_000)
  t.is(firstDifference(rig.leg.heard(), ramp(160_000)), null)
  await until('it is notified', () => vonage.texts.some(({ event }) => event === 'websocket:notify'))
  const twilio = await stock(await rig.call(), 'dialect=twilio&prebufferMs=0')
  for (let i = 0; i < 501; i++) twilio.socket.send(SILENT_MESSAGE)
  twilio.send({ event: 'mark', mark: { name: 'said' } })
  await play(501 * 160)
  await until('the mark is back', () => twilio.texts.some(({ event }) => event === 'mark'))
  t.is(vonage.code() ?? twilio.code(), null)
})

test.serial(
  'messages without audio still count towards 500 a second, where the client is made for another platform too',
  async (t) => {
    const client = await stock(await rig.call(), 'dialect=vonage')
    for (let i = 0; i < 501; i++) client.socket.send(Buffer.alloc(0))
    t.is(await client.untilClosed(), 4429)
  },
)

// [realtime.dialects.6]
test.serial('twilio-10s: a Twilio message may hold a megabyte of text, if it is audio', async (t) => {
  const client = await stock(await rig.call(), 'dialect=twilio&prebufferMs=0')
  const codes = Uint8Array.from({ length: 80_000 }, (_, i) => i % 251)
  const payload = Buffer.from(codes).toString('base64')
  client.send({ event: 'media', streamSid: 'S', media: { payload } })
  // Some JSON encoders escape characters that are special in HTML.
  client.socket.send(
    `{"event":"media","media":{"payload":"${payload.replaceAll('/', String.raw`\/`).replaceAll('+', String.raw`\u002B`)}"}}`,
  )
  await play(160_000)
  t.deepEqual(rig.leg.heard(), [...decodeMulaw(codes), ...decodeMulaw(codes)])
  client.send({ event: 'media', media: { track: 'x'.repeat(5_000), payload: '' } })
  client.send({ event: 'dance', steps: Array.from({ length: 20_000 }, () => []) })
  await client.settled()
  t.is(client.code(), null)
})

// [realtime.dialects.6]
test.serial('a Twilio message of one megabyte is taken, and a longer one cuts the socket', async (t) => {
  const client = await stock(await rig.call(), 'dialect=twilio&prebufferMs=0')
  client.send({ event: 'media', media: { payload: Buffer.alloc(786_000).toString('base64') } })
  rig.clock.advance(1_000)
  await until('the first is read', () => {
    rig.mediaClock.tick(1)
    return heardSamples() > 0
  })
  t.is(client.code(), null)
  // 98 s are queued. The host reads on once 38 s of them are played.
  client.send({ event: 'media', media: { payload: Buffer.alloc(800_000).toString('base64') } })
  rig.mediaClock.tick(40 * 50)
  rig.clock.advance(1_000)
  t.is(await client.untilClosed(), 1006)
})

// [realtime.dialects.4]
test.serial('audio over 60 s waits with its client, and no mark of it is told before it was played', async (t) => {
  for (const dialect of ['vonage', 'twilio'] as const) {
    const client = await stock(await rig.call(), `dialect=${dialect}&rate=8000&prebufferMs=0`)
    const marks = () => client.texts.filter(({ event }) => event === 'mark' || event === 'websocket:notify')
    for (let second = 0; second < 150; second++) {
      if (dialect === 'vonage') client.socket.send(Buffer.alloc(16_000, 1))
      else client.send({ event: 'media', media: { payload: Buffer.alloc(8_000, 1).toString('base64') } })
      if (dialect === 'vonage') client.send({ action: 'notify', payload: second })
      else client.send({ event: 'mark', mark: { name: second } })
    }
    for (let second = 1; second <= 150; second++) {
      await play(second * 8_000)
      t.true(marks().length <= second)
    }
    await until('all marks are back', () => marks().length === 150)
    t.deepEqual(
      marks().map((text) => text.mark?.name ?? text.payload),
      Array.from({ length: 150 }, (_, i) => i),
    )
    t.is(heardSamples(), 150 * 8_000)
    t.is(client.code(), null)
  }
})

test.serial('minutes of audio at once wait with a client made for another platform', async (t) => {
  const client = await stock(await rig.call(), 'dialect=vonage&rate=48000&prebufferMs=0')
  // 30 whole frames: a frame that a late block leaves unfinished would be filled up with silence.
  const block = Buffer.alloc(57_600, 1)
  const blocks = 200
  for (let i = 0; i < blocks; i++) client.socket.send(block)
  await play((blocks * block.length) / 2, { slots: 500, ms: 400 })
  t.is(heardSamples(), (blocks * block.length) / 2)
  t.is(client.code(), null)
})

// [realtime.dialects.3]
test.serial(
  'twilio-1-mark-names: any text or number up to 1 KiB names a mark of a Twilio client, and comes back as sent',
  async (t) => {
    const client = await stock(await rig.call(), 'dialect=twilio&prebufferMs=0')
    const names = [
      'a'.repeat(65),
      JSON.stringify({ type: 'response', itemId: 'item', chunk: 12 }),
      'é'.repeat(33),
      '',
      'ok',
      7,
      0.5,
      'x'.repeat(1_024),
      '"payload":"',
    ]
    client.socket.send(SILENT_MESSAGE)
    for (const name of names) client.send({ event: 'mark', streamSid: 'S', mark: { name } })
    for (const name of [null, true, {}, 'x'.repeat(1_025)]) client.send({ event: 'mark', mark: { name } })
    await client.settled()
    rig.mediaClock.tick(2)
    const told = () => client.texts.filter(({ event }) => event === 'mark').map(({ mark }) => mark.name)
    await until('all are back', () => told().length >= names.length)
    t.deepEqual(told(), names)
  },
)

test.serial('more marks than may wait are waited for too', async (t) => {
  const client = await stock(await rig.call(), 'dialect=twilio&prebufferMs=0')
  for (let i = 0; i < 1_500; i++) {
    client.socket.send(SILENT_MESSAGE)
    client.send({ event: 'mark', mark: { name: i } })
    if (i % 250 !== 249 || i > 1_000) continue
    // Fewer than 500 marks a second were sent.
    await client.settled()
    rig.clock.advance(1_000)
  }
  await play(1_500 * 160, { slots: 250, ms: 5_000 })
  const told = () => client.texts.filter(({ event }) => event === 'mark')
  await until('all are back', () => told().length === 1_500)
  t.is(client.code(), null)
})

// [realtime.dialects.5]
test.serial('a text that is no JSON closes no client made for another platform', async (t) => {
  for (const dialect of ['vonage', 'twilio']) {
    const client = await stock(await rig.call(), `dialect=${dialect}`)
    for (let i = 0; i < 150; i++) client.socket.send(i % 2 === 0 ? 'hello' : '{"event":"media","media":{"payload":"AA')
    await client.settled()
    t.is(client.code(), null)
    t.true(client.texts.every(({ event }) => /connected|start/.test(event)))
  }
})
