/** The OpenAI example on a call, and what its scripted model's first utterance became when it was cut off. */
import type { ExecutionContext } from 'ava'
import { ExampleBot, type Relayed } from './example-bot.ts'
import type { PairedNumber, Service } from './service.ts'
import { until } from './until.ts'

const ECHO_PEER = '5511990000001'
/** A packet of the peer's phone, in ms. */
const PACKET_MS = 20
/** The scripted model sends 40 ms a delta, and the stock transport a mark behind each. */
const MARK_MS = 40
/** Louder than the silence between utterances, of full scale. */
const LOUD = 0.02

export interface BotOnCall {
  readonly bot: ExampleBot
  readonly id: string
  readonly externalCallId: string
}

interface Wanted {
  readonly t: ExecutionContext
  readonly service: Service
  readonly number: PairedNumber
  readonly env?: object
}

/** Starts the example, places a call to an echo, and has the call connected to it; it is stopped after the test. */
export async function openaiOnCall({ t, service, number, env = {} }: Wanted): Promise<BotOnCall> {
  const bot = await ExampleBot.start('openai', undefined, env)
  t.teardown(() => bot.stop())
  const { id, externalCallId } = await service.placeCall(number, ECHO_PEER)
  const body = { connectTo: bot.url, dialect: 'twilio', headers: { authorization: `Bearer ${bot.token}` } }
  const dialled = await service.api('POST', `/v1/calls/${id}/realtime-session`, number.key, body)
  if (dialled.status !== 202) throw new Error(`dialling was answered ${dialled.status}: ${dialled.text}`)
  await service.untilCall(number, id, ['ACCEPTED'])
  return { bot, id, externalCallId }
}

/** Waits until the peer's echo has cut the bot off, and it answers what it heard. */
export async function interrupted(bot: ExampleBot): Promise<void> {
  await until('the bot is interrupted', () => bot.texts('bot').some(({ event }) => event === 'clear'))
  await until('the model knows where', () => bot.said.some((line) => /^model was cut off after \d+ ms$/.test(line)))
  await until('it answers what it heard', () => bot.said.includes('model says "You said"'))
}

/** How long the first utterance was, in ms, as the bot sent it. */
export function utteranceMs(bot: ExampleBot): number {
  return marksBefore(bot, clearedAt(bot)) * MARK_MS
}

/** How long the peer heard the first utterance, in ms: all that came before the bot spoke again. */
export async function firstUtteranceMs(service: Service, externalCallId: string, bot: ExampleBot): Promise<number> {
  const after = bot.relayed.slice(clearedAt(bot))
  const next = after.find(({ from, text }) => from === 'bot' && text.event === 'media')
  const { body } = await service.control('GET', `/calls/${externalCallId}/levels?since=0`)
  return body.levels.filter(({ atMs, rms }: any) => rms > LOUD && atMs < (next?.atMs ?? Infinity)).length * PACKET_MS
}

/**
 * How much of the first utterance was played when it was cleared, in ms, by its marks. Those that were cleared come at
 * once, up to the last one; those that were played have audio of the peer between them.
 */
export function playedMs(bot: ExampleBot): number {
  const sent = marksBefore(bot, clearedAt(bot))
  const come = bot.relayed.filter(({ from }) => from === 'service')
  const marks = come.filter(isMark).slice(0, sent)
  const last = marks.at(-1)
  if (last === undefined || marks.length < sent) throw new Error('not every mark came back')
  const upToLast = come.slice(0, come.indexOf(last) + 1)
  const audioAt = upToLast.findLastIndex((one) => !isMark(one))
  return upToLast.slice(0, audioAt).filter(isMark).length * MARK_MS
}

function isMark({ text }: Relayed): boolean {
  return text.event === 'mark'
}

/** Where among the messages the bot had its audio cleared. Throws when it did not. */
function clearedAt(bot: ExampleBot): number {
  const at = bot.relayed.findIndex(({ from, text }) => from === 'bot' && text.event === 'clear')
  if (at < 0) throw new Error('nothing was cleared')
  return at
}

/** How many marks the bot had sent before a message. */
function marksBefore(bot: ExampleBot, at: number): number {
  return bot.relayed.slice(0, at).filter((one) => one.from === 'bot' && isMark(one)).length
}
