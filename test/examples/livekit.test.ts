import test from 'ava'
import type { ExecutionContext } from 'ava'
import { WebSocket } from 'ws'
import { startScriptedModel } from '../../examples/scripted/realtime-model.ts'
import { ExampleBot, connectedTo, refusalOf, type Relayed } from '../helpers/example-bot.ts'
import type { PairedNumber, Service } from '../helpers/service.ts'
import { joinService } from '../helpers/shared-service.ts'
import { until } from '../helpers/until.ts'

const PEER = '5511990000001'
const RATE_HZ = 24_000
const BYTES_PER_MS = (RATE_HZ * 2) / 1_000
/** A packet of the peer's phone, in ms. */
const PACKET_MS = 20
/** Louder than the silence between utterances, of full scale. */
const LOUD = 0.02

let service: Service
let number: PairedNumber

test.before(async () => {
  service = await joinService()
  number = await service.pairNumber()
})

/** The example answers the number, which a peer calls; it is stopped after the test. */
async function called(t: ExecutionContext, { audio = 'echo', env = {} } = {}): Promise<[ExampleBot, string]> {
  const bot = await ExampleBot.start('livekit', undefined, env)
  t.teardown(() => bot.stop())
  await connectedTo(service, number, bot, { dialect: 'native', rate: RATE_HZ })
  const { body } = await service.control('POST', `/peers/${PEER}/calls`, { to: number.digits, audio })
  return [bot, body.callId]
}

const ofType = (type: string) => (text: any) => text.type === type
const says = (bot: ExampleBot, line: RegExp) => until(`it says ${line}`, () => line.exec(bot.said.join('\n')))

/** How much audio the bot sent, in ms. */
function sentMs(messages: readonly Relayed[]): number {
  const bytes = messages.map(({ from, audio }) => (from === 'bot' && audio ? audio.length : 0))
  return bytes.reduce((sum, length) => sum + length, 0) / BYTES_PER_MS
}

/** How long the peer heard sound before this time, in ms. */
async function soundMs(callId: string, beforeMs: number): Promise<number> {
  const { body } = await service.control('GET', `/calls/${callId}/levels?since=0`)
  return body.levels.filter(({ atMs, rms }: any) => rms > LOUD && atMs < beforeMs).length * PACKET_MS
}

// [realtime.client-messages.1] [realtime.client-messages.2]
test.serial('a caller who interrupts has the queue cleared, and the model is told how much they heard', async (t) => {
  const [bot, callId] = await called(t)
  const cleared = await until('the queue is cleared', () => bot.texts('service').find(ofType('cleared')))
  await says(bot, /^model says "You said"$/m)
  const at = bot.relayed.findIndex(({ text }) => text?.type === 'clear')
  const heardMs = sentMs(bot.relayed.slice(0, at)) - cleared.discardedMs
  t.true(heardMs > 0 && cleared.discardedMs > 200, JSON.stringify(cleared))
  const [, toldMs] = await says(bot, /^model was cut off after (\d+) ms$/m)
  t.is(Number(toldMs), Math.floor(heardMs))
  t.regex(bot.said.join('\n'), new RegExp(`^the caller heard ${(heardMs / 1_000).toFixed(2)} s, and interrupted$`, 'm'))
  const next = bot.relayed.slice(at).find(({ from, audio }) => from === 'bot' && audio)
  const peersMs = await soundMs(callId, next?.atMs ?? Infinity)
  t.true(peersMs > 0 && peersMs <= heardMs + 200, `the peer heard ${peersMs} ms of ${heardMs} ms`)
})

test.serial('a greeting is sent as it is heard, and LiveKit knows its end by a mark', async (t) => {
  const [bot, callId] = await called(t, { audio: 'silence' })
  const [, seconds] = await says(bot, /^the caller heard (\d\.\d\d) s$/m)
  t.is(Number(seconds), sentMs(bot.relayed) / 1_000)
  const mark = bot.texts('service').findLast(ofType('mark'))
  t.like(mark, { name: 'ends-1', status: 'played' })
  const audio = bot.relayed.filter((one) => one.from === 'bot' && one.audio)
  t.true((audio.at(-1)?.atMs ?? 0) - (audio[0]?.atMs ?? 0) > 1_500)
  t.is((await service.control('POST', `/calls/${callId}/hangup`)).status, 200)
  await says(bot, /^the call is over$/m)
  t.deepEqual(bot.codes, [1000])
})

test.serial('digits reach the model, which presses keys itself and hangs up once its goodbye is heard', async (t) => {
  const [bot, callId] = await called(t, { audio: 'silence' })
  const pressed = (digits: string) => service.control('POST', `/calls/${callId}/dtmf`, { digits })
  await until('it is heard', () => bot.texts('service').some(ofType('mark')))
  t.is((await pressed('5')).status, 200)
  await until('the peer gets the digit', async () => {
    const { body } = await service.control('GET', `/calls/${callId}`)
    return body.heard.digits.includes('5')
  })
  t.is((await pressed('#')).status, 200)
  await says(bot, /^the call is over$/m)
  t.is((await service.control('GET', `/calls/${callId}`)).body.state, 'ENDED')
  const texts = bot.relayed.flatMap(({ text }) => text ?? [])
  const hungUpAt = texts.findLastIndex(ofType('hangup'))
  t.true(hungUpAt > 0)
  t.like(texts.slice(0, hungUpAt).findLast(ofType('mark')), { status: 'played' })
})

// [realtime.takeover.1] [realtime.takeover.3]
test.serial(
  'a person takes the call over and gives it back: no word is waited for, and the bot answers again',
  async (t) => {
    const [bot, callId] = await called(t, { audio: 'silence' })
    const { callId: ours } = await until('it is connected', () => bot.texts('service').find(ofType('start')))
    await until('it is heard', () => bot.texts('service').some(ofType('mark')))
    const taken = await service.api('POST', `/v1/calls/${ours}/takeover`, number.key, { to: 'talk' })
    const person = new WebSocket(taken.body.wsUrl)
    t.teardown(() => person.terminate())
    await says(bot, /^the caller heard 0.00 s, and interrupted$/m)
    t.is((await service.api('POST', `/v1/calls/${ours}/takeover`, number.key, { to: 'bot' })).status, 202)
    await until('it has the call back', () => bot.texts('service').some(({ by }) => by === 'bot'))
    t.is((await service.control('POST', `/calls/${callId}/dtmf`, { digits: '5' })).status, 200)
    await says(bot, /^model says "You pressed five."\n(model calls press_keys\n)?the caller heard \d\.\d\d s$/m)
    t.deepEqual(bot.codes, [])
  },
)

test.serial('a model that is lost is connected again; where it is gone, the call is dialled again', async (t) => {
  const said: string[] = []
  const model = await startScriptedModel((line) => said.push(line))
  t.teardown(() => model.close())
  const env = { OPENAI_API_KEY: 'sk-of-a-test', OPENAI_URL: model.url }
  const [bot, callId] = await called(t, { audio: 'silence', env })
  await says(bot, /^the caller heard/m)
  model.drop()
  t.is((await service.control('POST', `/calls/${callId}/dtmf`, { digits: '5' })).status, 200)
  await until('it answers on another socket', () => said.includes('says "You pressed five."'))
  t.deepEqual(bot.codes, [])
  model.close()
  await until('its call is dialled again', () => bot.texts('service').filter(ofType('start')).length > 1)
  await says(bot, /^all calls begin anew: connect ECONNREFUSED/m)
  t.is((await service.control('GET', `/calls/${callId}`)).body.state, 'CONNECTED')
  t.false(bot.said.join().includes('sk-of-a-test'))
})

test('a caller without the token is not let in', async (t) => {
  const bot = await ExampleBot.start('livekit')
  t.teardown(() => bot.stop())
  t.is(await refusalOf(bot, 'Bearer other'), 401)
})
