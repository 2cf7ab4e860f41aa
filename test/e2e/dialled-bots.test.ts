import test from 'ava'
import { createDecoder } from 'libopus-wasm'
import { decodeMulaw, encodeMulaw } from '../../media-host/audio/mulaw.ts'
import { loadOpus } from '../../media-host/audio/opus.ts'
import type { DialectName } from '../../src/domain/realtime-session.ts'
import { sine } from '../../tools/demo/signal.ts'
import { dominantHz, rmsOf } from '../helpers/audio-signal.ts'
import { DialledBot } from '../helpers/dialled-bot.ts'
import { SessionClient } from '../helpers/session-client.ts'
import type { PairedNumber, Service } from '../helpers/service.ts'
import { joinService } from '../helpers/shared-service.ts'
import { until } from '../helpers/until.ts'

const RATE_HZ = 8_000
const ECHO_PEER = '5511990000001'
const TONE_HZ = 800

let service: Service
let number: PairedNumber

test.before(async () => {
  service = await joinService()
  number = await service.pairNumber()
})

/** What a server of a platform says and hears, in the platform's own words. */
interface Platform {
  isStart(text: any): boolean
  speak(bot: DialledBot, samples: Int16Array): void
  /** The audio of what came so far. */
  heard(bot: DialledBot): Int16Array
  digitIn(text: any): string | null
  clear(bot: DialledBot): void
  isCleared(text: any): boolean
}

const bytesOf = (samples: Int16Array) => Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength)
const pcmOf = (frames: readonly Buffer[]) => new Int16Array(Uint8Array.from(Buffer.concat(frames)).buffer)

/** Servers of binary PCM hear and speak in the same way. */
const PCM: Pick<Platform, 'speak' | 'heard'> = {
  speak: (bot, samples) => {
    // A message has at most 65,536 bytes.
    for (let at = 0; at < samples.length; at += 16_000) bot.socket?.send(bytesOf(samples.slice(at, at + 16_000)))
  },
  heard: (bot) => pcmOf(bot.frames),
}

const PLATFORMS: Readonly<Record<DialectName, Platform>> = {
  native: {
    ...PCM,
    isStart: ({ type }) => type === 'start',
    digitIn: ({ type, digit }) => (type === 'dtmf' ? digit : null),
    clear: (bot) => bot.send({ type: 'clear' }),
    isCleared: ({ type }) => type === 'cleared',
  },
  vonage: {
    ...PCM,
    isStart: ({ event }) => event === 'websocket:connected',
    digitIn: ({ event, digit }) => (event === 'websocket:dtmf' ? digit : null),
    clear: (bot) => bot.send({ action: 'clear' }),
    isCleared: ({ event }) => event === 'websocket:cleared',
  },
  twilio: {
    isStart: ({ event }) => event === 'start',
    speak: (bot, samples) => {
      const payload = Buffer.from(encodeMulaw(samples)).toString('base64')
      bot.send({ event: 'media', streamSid: 'any', media: { payload } })
      bot.send({ event: 'mark', streamSid: 'any', mark: { name: 'said' } })
    },
    heard: (bot) =>
      Int16Array.from(
        bot.texts
          .filter(({ event }) => event === 'media')
          .flatMap(({ media }) => [...decodeMulaw(Buffer.from(media.payload, 'base64'))]),
      ),
    digitIn: ({ event, dtmf }) => (event === 'dtmf' ? dtmf.digit : null),
    clear: (bot) => bot.send({ event: 'clear', streamSid: 'any' }),
    // That platform gives marks back that were cleared.
    isCleared: ({ event }) => event === 'mark',
  },
}

async function talking(t: { teardown(end: () => unknown): void }, dialect: DialectName) {
  const bot = await new DialledBot().listen()
  t.teardown(() => bot.close())
  const placed = await service.placeCall(number, ECHO_PEER)
  const body = { connectTo: bot.url, dialect, rate: RATE_HZ }
  const dialled = await service.api('POST', `/v1/calls/${placed.id}/realtime-session`, number.key, body)
  if (dialled.status !== 202) throw new Error(`dialling was answered ${dialled.status}`)
  await until('the bot is greeted', () => bot.texts.some(PLATFORMS[dialect].isStart))
  await service.untilCall(number, placed.id, ['ACCEPTED'])
  return { bot, id: placed.id, externalCallId: placed.externalCallId }
}

/** Whether the newest half second that a bot heard is the tone. */
function isTone(heard: Int16Array): boolean {
  const newest = heard.subarray(-RATE_HZ / 2)
  return newest.length === RATE_HZ / 2 && rmsOf(newest) > 1_600 && Math.abs(dominantHz(newest, RATE_HZ) - TONE_HZ) <= 15
}

for (const dialect of ['native', 'vonage', 'twilio'] as const) {
  const platform = PLATFORMS[dialect]

  // [voice.connect-to.1] [voice.connect-to.4]
  test.serial(
    `a server of the dialect ${dialect} speaks to an echo, hears it, is interrupted, and gets digits`,
    async (t) => {
      const { bot, id, externalCallId } = await talking(t, dialect)
      platform.speak(bot, sine(TONE_HZ, 20_000, RATE_HZ))
      await until('it hears its own tone', () => isTone(platform.heard(bot)))
      const cleared = bot.texts.filter(platform.isCleared).length
      platform.clear(bot)
      await until('what waited is dropped', () => bot.texts.filter(platform.isCleared).length > cleared)
      await until('it hears silence', () => {
        const newest = platform.heard(bot).subarray(-RATE_HZ / 2)
        return rmsOf(newest) < 300
      })
      t.is((await service.control('POST', `/calls/${externalCallId}/dtmf`, { digits: '5' })).status, 200)
      await until('it gets the digit', () => bot.texts.some((text) => platform.digitIn(text) === '5'))
      bot.send({ type: 'dtmf', digits: '7' })
      await until('the peer gets the digit', async () => {
        const { body } = await service.control('GET', `/calls/${externalCallId}`)
        return body.heard.digits === '7'
      })
      bot.send({ type: 'hangup' })
      t.is((await service.untilCall(number, id, ['COMPLETED', 'FAILED'])).status, 'COMPLETED')
      await until('its socket is closed', () => bot.code !== null)
      t.is(bot.code, 1000)
    },
  )

  test.serial(`a peer who hangs up ends the session of a server of the dialect ${dialect}`, async (t) => {
    const { bot, id, externalCallId } = await talking(t, dialect)
    t.is((await service.control('POST', `/calls/${externalCallId}/hangup`)).status, 200)
    await until('its socket is closed', () => bot.code !== null)
    t.is(bot.code, 1000)
    t.is((await service.untilCall(number, id, ['COMPLETED', 'FAILED'])).status, 'COMPLETED')
  })
}

/** A number whose inbound calls are connected to a bot of this dialect. */
async function answering(t: { teardown(end: () => unknown): void }, voice: object) {
  const bot = await new DialledBot().listen()
  t.teardown(() => bot.close())
  const own = await service.pairNumber()
  const given = { connectTo: bot.url, headers: { authorization: 'Bearer of-the-bot' }, onUnreachable: 'ring', ...voice }
  const patched = await service.api('PATCH', `/v1/numbers/${own.id}`, service.tenantKey, { voice: given })
  if (patched.status !== 200) throw new Error(`the setting was answered ${patched.status}`)
  return { bot, own }
}

async function ringUp(own: PairedNumber): Promise<string> {
  const { body } = await service.control('POST', '/peers/5511970001234/calls', { to: own.digits, audio: 'tone' })
  return body.callId
}

// [voice.number-setting.2] [voice.number-setting.6]
test.serial('a number answers by its bot: the call is accepted by itself, and ends when the bot leaves', async (t) => {
  const { bot, own } = await answering(t, { answer: 'accept', dialect: 'twilio', parameters: { line: '2' } })
  const externalCallId = await ringUp(own)
  const call = await service.untilCall(own, externalCallId, ['ACCEPTED'])
  await until('the bot hears the caller', () => rmsOf(PLATFORMS.twilio.heard(bot).subarray(-RATE_HZ / 4)) > 300)
  t.is(bot.handshakes.length, 1)
  t.is(bot.handshakes[0]?.headers['authorization'], 'Bearer of-the-bot')
  t.like(bot.texts.find(PLATFORMS.twilio.isStart)?.start, { callSid: call.id, customParameters: { line: '2' } })
  const { body } = await service.api('GET', `/v1/calls/${call.id}`, own.key)
  t.like(body.sessions[0], { direction: 'OUTBOUND', dialect: 'twilio' })
  bot.socket?.close(1000)
  t.is((await service.untilCall(own, call.id, ['COMPLETED', 'FAILED'])).status, 'COMPLETED')
})

// [voice.number-setting.3]
test.serial('a bot that is to answer by itself is dialled while the call rings, and accepts it', async (t) => {
  const { bot, own } = await answering(t, { answer: 'ring' })
  const externalCallId = await ringUp(own)
  await until('the bot is greeted', () => bot.texts.some(PLATFORMS.native.isStart))
  t.like(bot.texts[0], { status: 'RINGING', direction: 'INBOUND' })
  bot.send({ type: 'accept' })
  const call = await service.untilCall(own, externalCallId, ['ACCEPTED'])
  bot.send({ type: 'hangup' })
  await service.untilCall(own, call.id, ['COMPLETED'])
})

/** What decodes packets hears of them. */
async function decoded(frames: readonly Buffer[]): Promise<Int16Array> {
  const decoder = await createDecoder({ channels: 1, sampleRate: RATE_HZ, maxFrameSize: (RATE_HZ * 120) / 1_000 })
  const samples = frames.flatMap((frame) => [...decoder.decode(frame.subarray(4))])
  decoder.free()
  return Int16Array.from(samples)
}

// [realtime.opus.1] [realtime.opus.4] [realtime.speech.1] [realtime.takeover.1] [realtime.takeover.3]
test.serial(
  'a bot that speaks Opus hears its echo, is told of it, and a person takes its call for a while',
  async (t) => {
    const bot = await new DialledBot().listen()
    t.teardown(() => bot.close())
    const { id } = await service.placeCall(number, ECHO_PEER)
    const post = (path: string, body: object) => service.api('POST', `/v1/calls/${id}/${path}`, number.key, body)
    t.is((await post('realtime-session', { connectTo: bot.url, codec: 'opus', speech: 'on' })).status, 202)
    await service.untilCall(number, id, ['ACCEPTED'])
    await until('the bot is greeted', () => bot.texts.some(({ codec }) => codec === 'opus'))
    const encoder = (await loadOpus()).openEncoder(RATE_HZ)
    const tone = sine(TONE_HZ, 8_000, RATE_HZ)
    for (let at = 0; at < tone.length; at += 160)
      bot.socket?.send(Buffer.concat([Buffer.alloc(4), encoder.encode(tone.slice(at, at + 160))]))
    await until('it hears its own tone', async () => isTone(await decoded(bot.frames.slice(-40))))
    const speech = await until('its speech is told', () => bot.texts.find(({ type }) => type === 'speech'))
    t.is(speech.state, 'started')
    const { status, body } = await post('takeover', {})
    t.is(status, 200)
    const person = await SessionClient.connect(body.wsUrl, `rate=${RATE_HZ}`)
    t.teardown(() => person.close())
    await until('the bot is told', () => bot.texts.some(({ type, by }) => type === 'takeover' && by === 'person'))
    await until('what it had queued is gone', async () => rmsOf(await decoded(bot.frames.slice(-25))) < 300)
    person.speak(tone.slice(0, 4 * RATE_HZ))
    await until(
      'both hear the person',
      async () => isTone(person.audio()) && isTone(await decoded(bot.frames.slice(-40))),
    )
    t.like(await post('takeover', { to: 'bot' }), { status: 202, body: { success: true } })
    await person.until('takeover', ({ by }) => by === 'bot')
    const modes = async () => {
      const read = await service.api('GET', `/v1/calls/${id}`, number.key)
      return read.body.sessions.map(({ direction, mode }: Record<string, string>) => `${direction} ${mode}`)
    }
    await until('the call shows who talks', async () => (await modes()).join() === 'INBOUND listen,OUTBOUND talk')
    bot.send({ type: 'hangup' })
    t.is((await service.untilCall(number, id, ['COMPLETED', 'FAILED'])).status, 'COMPLETED')
  },
)
