import { decide } from '../../../actors/sending/decide.ts'
import type { SendingMessage } from '../../../actors/sending/messages.ts'
import type { SendingOptions, SendingRules } from '../../../actors/sending/rules.ts'
import { rulesOf } from '../../../actors/sending/rules.ts'
import type { Hand, SendingEffect, SendingState } from '../../../actors/sending/state.ts'
import { initialState } from '../../../actors/sending/state.ts'
import { newId } from '../../../src/domain/ids.ts'
import type { MessageFailure } from '../../../src/domain/message.ts'
import type { ProviderKind } from '../../../src/domain/number.ts'
import type { OutgoingContent } from '../../../src/domain/outgoing.ts'
import type { SendResult } from '../../../src/ports/provider.ts'
import type { QueuedMessage } from '../../../src/ports/stores/send-queue.ts'
import { TEXT } from '../../helpers/memory/messages.ts'

export type Effect<T extends SendingEffect['type']> = Extract<SendingEffect, { type: T }>

const NO_LIMIT = { number: { atOnce: Infinity, everyMs: 0 }, pair: { atOnce: Infinity, everyMs: 0 } }
export const NO_LIMITS = { OFFICIAL: NO_LIMIT, UNOFFICIAL: NO_LIMIT }
export const IMAGE: OutgoingContent = {
  mode: 'media',
  kind: 'image',
  source: { url: 'https://example.com/a.png' },
  caption: null,
  fileName: null,
}
export const FAULT: MessageFailure = {
  code: 'OFFICIAL_ERROR',
  message: 'Upstream failed',
  details: null,
  upstreamCode: 131000,
}

export const SENT: SendResult = { kind: 'sent', externalMessageId: 'up' }
export const UNSENT: SendResult = { kind: 'unsent', failure: FAULT }
export const UNKNOWN: SendResult = { kind: 'unknown', failure: FAULT }
export const throttledBy = (scope: 'number' | 'pair', afterMs: number | null = null): SendResult => ({
  kind: 'throttled',
  failure: FAULT,
  afterMs,
  scope,
})

/** The first waiting message of the conversation with `address`. */
export function head(address: string, patch: Partial<QueuedMessage> = {}, isInDoubt = false): QueuedMessage {
  return {
    id: newId('msg'),
    conversationId: `conv_${address}`,
    to: { type: 'DIRECT', address },
    outgoing: TEXT,
    quotedMessageId: null,
    deliverUntil: null,
    createdAt: new Date(0),
    attempts: 0,
    attemptedAt: isInDoubt ? new Date(0) : null,
    batch: null,
    ...patch,
  }
}

/** Runs messages through `decide` by hand, on a clock that the test moves. Only the test makes things happen. */
export class SendingTable {
  state: SendingState
  effects: SendingEffect[] = []
  nowMs = 1_000_000
  #wakes = 0

  constructor(
    provider: ProviderKind = 'UNOFFICIAL',
    options: Partial<SendingOptions> = { paces: NO_LIMITS, lookMs: 50 },
  ) {
    const rules: SendingRules = rulesOf({ provider }, options)
    this.state = initialState(rules)
  }

  say(message: SendingMessage): this {
    const made = decide(this.state, message, this.nowMs)
    this.state = made.state
    this.effects.push(...made.effects)
    return this
  }

  wake(): this {
    return this.say({ type: 'Wake', wakes: ++this.#wakes })
  }

  all<T extends SendingEffect['type']>(type: T): Effect<T>[] {
    return this.effects.filter((effect): effect is Effect<T> => effect.type === type)
  }

  last<T extends SendingEffect['type']>(type: T): Effect<T> {
    const found = this.all(type).at(-1)
    if (!found) throw new Error(`no ${type} was asked for`)
    return found
  }

  forget(): this {
    this.effects = []
    return this
  }

  /** The queue answers the look that is in progress. */
  find(...heads: QueuedMessage[]): this {
    return this.say({ type: 'HeadsRead', attempt: this.last('readHeads').attempt, heads })
  }

  hand(address: string): Hand {
    const hand = this.state.hands.get(`conv_${address}`)
    if (!hand) throw new Error(`nothing of ${address} is in hand`)
    return hand
  }

  holds(address: string): boolean {
    return this.state.hands.has(`conv_${address}`)
  }

  #attemptOf(address: string): { attempt: number; conversationId: `conv_${string}` } {
    const { phase } = this.hand(address)
    if (!('attempt' in phase)) throw new Error(`${address} waits for nothing`)
    return { attempt: phase.attempt, conversationId: `conv_${address}` }
  }

  begun(address: string, outcome: 'applied' | 'moved' | 'fenced' | 'failed' = 'applied'): this {
    return this.say({ type: 'Begun', ...this.#attemptOf(address), outcome })
  }

  answer(address: string, result: SendResult, hadSession = true): this {
    return this.say({
      type: 'Answered',
      ...this.#attemptOf(address),
      messageId: this.hand(address).message.id,
      result,
      hadSession,
      luck: 0,
    })
  }

  /** The store rejects the pending write, because the row violates a constraint. */
  refused(address: string, type: 'Begun' | 'Settled'): this {
    return this.say({ type, ...this.#attemptOf(address), outcome: 'failed', fault: { reason: '23514', tries: 4 } })
  }

  settled(address: string, outcome: 'applied' | 'moved' | 'fenced' | 'failed' = 'applied'): this {
    return this.say({ type: 'Settled', ...this.#attemptOf(address), outcome })
  }

  /** The upstream is asked, and its answer is stored. */
  tries(address: string, result: SendResult, hadSession = true): this {
    return this.begun(address).answer(address, result, hadSession).settled(address)
  }

  /** Moves the clock. The timer fires each time it falls due, also when it was set again. */
  pass(byMs: number): this {
    const end = this.nowMs + byMs
    while (this.state.timerMs !== null && this.state.timerMs <= end) {
      this.nowMs = Math.max(this.nowMs, this.state.timerMs)
      this.say({ type: 'TimerFired' })
    }
    this.nowMs = end
    return this
  }

  /** The addresses in the order in which the upstream was asked for them. */
  begunFor(): string[] {
    return this.all('begin').map(({ message }) => message.to.address)
  }
}

/** How long the conversation still waits, in ms; NaN when it does not wait. */
export const waits = (table: SendingTable, address: string): number => {
  const { phase } = table.hand(address)
  return phase.at === 'WAITING' ? phase.untilMs - table.nowMs : NaN
}

/** The code with which the last message failed; null when it did not fail. */
export const failure = (table: SendingTable): string | null => {
  const { settlement } = table.last('settle')
  return settlement.kind === 'failed' ? settlement.failure.code : null
}
