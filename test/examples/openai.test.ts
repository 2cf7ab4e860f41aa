import test from 'ava'
import { startScriptedModel } from '../../examples/scripted/realtime-model.ts'
import { ExampleBot, refusalOf } from '../helpers/example-bot.ts'
import type { PairedNumber, Service } from '../helpers/service.ts'
import { joinService } from '../helpers/shared-service.ts'
import { until } from '../helpers/until.ts'

const ECHO_PEER = '5511990000001'
/** A packet of the peer's phone, in ms. */
const PACKET_MS = 20
/** The scripted model sends 40 ms a delta, and the stock transport a mark behind each. */
const MARK_MS = 40
/** Silent packets in a row between two utterances: the model waits for 500 ms of silence before it answers. */
const BETWEEN = 22

let service: Service
let number: PairedNumber

test.before(async () => {
  service = await joinService()
  number = await service.pairNumber()
})

async function talking(t: { teardown(end: () => unknown): void }, to: string, env: object = {}) {
  const bot = await ExampleBot.start('openai', undefined, env)
  t.teardown(() => bot.stop())
  const { id, externalCallId } = await service.placeCall(number, to)
  const body = { connectTo: bot.url, dialect: 'twilio', headers: { authorization: `Bearer ${bot.token}` } }
  const dialled = await service.api('POST', `/v1/calls/${id}/realtime-session`, number.key, body)
  if (dialled.status !== 202) throw new Error(`dialling was answered ${dialled.status}: ${dialled.text}`)
  await service.untilCall(number, id, ['ACCEPTED'])
  return { bot, id, externalCallId }
}

/** How long the first thing was that the peer heard, in ms. */
async function firstUtteranceMs(externalCallId: string): Promise<number> {
  const { body } = await service.control('GET', `/calls/${externalCallId}/levels?since=0`)
  const loud = body.levels.map(({ rms }: { rms: number }) => rms > 0.02) as boolean[]
  const first = loud.indexOf(true)
  const gap = loud.findIndex((_, at) => at > first && !loud.slice(at, at + BETWEEN).some(Boolean))
  return (gap - first) * PACKET_MS
}

/** How much of the first utterance was played when it was cleared, by its marks. Throws when nothing was cleared. */
function playedMs(bot: ExampleBot): number {
  const cleared = bot.relayed.findIndex(({ from, text }) => from === 'bot' && text.event === 'clear')
  const before = bot.relayed.slice(0, cleared).filter(({ from, text }) => from === 'service' && text.event === 'mark')
  const after = bot.relayed.slice(cleared).filter(({ from }) => from === 'service')
  // Marks that were played have audio of the peer between them; those that were cleared follow one another.
  const events = after.map(({ text }) => text.event as string)
  const burst = events.findIndex((event, at) => event === 'mark' && events[at + 1] === 'mark')
  if (burst < 0) throw new Error('nothing was cleared')
  const late = events.slice(0, burst).filter((event) => event === 'mark')
  return (before.length + late.length) * MARK_MS
}

// [voice.connect-to.1] [voice.connect-to.5]
test.serial(
  'the stock transport speaks, is interrupted by an echo, and the peer hears no more than 60 ms of it',
  async (t) => {
    const { bot, id, externalCallId } = await talking(t, ECHO_PEER)
    await until('the bot is interrupted', () => bot.texts('bot').some(({ event }) => event === 'clear'))
    await until('the model knows where', () => bot.said.some((line) => /^model was cut off after \d+ ms$/.test(line)))
    await until('it answers what it heard', () => bot.said.includes('model says "You said"'))
    const [heardMs, knownMs] = [await firstUtteranceMs(externalCallId), playedMs(bot)]
    t.true(heardMs > 0 && heardMs <= knownMs + 60, `heard ${heardMs} ms of ${knownMs} ms`)
    await service.endCall(number, id)
    await until('its socket is closed', () => bot.codes.length === 1)
    t.deepEqual(bot.codes, [1000])
  },
)

test.serial('digits reach the model, which presses keys itself and hangs up: the peer is gone too', async (t) => {
  const { bot, id, externalCallId } = await talking(t, ECHO_PEER)
  await until('the media flows', () => bot.said.includes('model the caller speaks'))
  t.is((await service.control('POST', `/calls/${externalCallId}/dtmf`, { digits: '5' })).status, 200)
  await until('the model presses it', () => bot.said.includes('model calls press_keys'))
  await until('the peer gets the digit', async () => {
    const { body } = await service.control('GET', `/calls/${externalCallId}`)
    return body.heard.digits.includes('5')
  })
  t.is((await service.control('POST', `/calls/${externalCallId}/dtmf`, { digits: '#' })).status, 200)
  t.is((await service.untilCall(number, id, ['COMPLETED', 'FAILED'])).status, 'COMPLETED')
  t.is((await service.control('GET', `/calls/${externalCallId}`)).body.state, 'ENDED')
  await until('its socket is closed', () => bot.codes.length === 1)
  await until('the program knows', () => bot.said.includes('the call is over'))
})

test.serial('a peer who hangs up ends the session with the model', async (t) => {
  const { bot, id, externalCallId } = await talking(t, ECHO_PEER)
  t.is((await service.control('POST', `/calls/${externalCallId}/hangup`)).status, 200)
  t.is((await service.untilCall(number, id, ['COMPLETED', 'FAILED'])).status, 'COMPLETED')
  await until('the program knows', () => bot.said.includes('the call is over'))
  t.deepEqual(bot.codes, [1000])
})

test.serial('a model that is lost in the middle of a call is connected again, and the call goes on', async (t) => {
  const said: string[] = []
  const model = await startScriptedModel((line) => said.push(line))
  t.teardown(() => model.close())
  const { bot, id } = await talking(t, ECHO_PEER, { OPENAI_API_KEY: 'sk-of-a-test', OPENAI_URL: model.url })
  const greetings = () => said.filter((line) => line.startsWith('says "Hello')).length
  await until('the model greets', () => greetings() === 1)
  model.drop()
  await until('it greets again', () => greetings() === 2)
  t.is((await service.api('GET', `/v1/calls/${id}`, number.key)).body.status, 'ACCEPTED')
  t.false(bot.said.join().includes('sk-of-a-test'))
  await service.endCall(number, id)
  await until('its socket is closed', () => bot.codes.at(-1) === 1000)
})

test('a caller without the token is not let in', async (t) => {
  const bot = await ExampleBot.start('openai')
  t.teardown(() => bot.stop())
  t.is(await refusalOf(bot, 'Bearer other'), 401)
})
