import { decide } from '../../../actors/number/decide.ts'
import type { NumberMessage } from '../../../actors/number/messages.ts'
import type { SaveOutcome } from '../../../actors/number/rows/messages.ts'
import type { NumberEffect, NumberState, ReadyNumber, Reply } from '../../../actors/number/state.ts'
import { initialState } from '../../../actors/number/state.ts'
import type { ChannelNumber, ProviderKind } from '../../../src/domain/number.ts'
import type { ProviderEvent } from '../../../src/ports/provider.ts'
import { StoredNumber } from './stored-number.ts'

export type Effect<T extends NumberEffect['type']> = Extract<NumberEffect, { type: T }>

/** Runs messages through `decide` of a paired number by hand. Only the test makes things happen. */
export class NumberTable {
  state: NumberState = initialState('num_1', { disconnectedMs: 30_000, idleMs: 60_000, sweepMs: 5_000 })
  /** Since the beginning. */
  readonly effects: NumberEffect[] = []
  readonly replies: Reply[] = []
  nowMs = 1_000_000
  #seq = 0

  /** The number is loaded, and its session opens. */
  constructor(kind: ProviderKind, fields: Partial<ChannelNumber> = {}) {
    const { row } = new StoredNumber(kind, true)
    if (!row) throw new Error('it has a row')
    this.say({ type: 'Start' })
    const number = { ...row, state: 'OPEN' as const, ...fields }
    const rows = { number, credentials: 'secret', hasDriver: true, orphans: [], resumable: [] }
    this.say({ type: 'Loaded', attempt: this.last('load').attempt, outcome: { kind: 'loaded', loaded: rows } })
  }

  get ready(): ReadyNumber {
    if (this.state.at !== 'READY') throw new Error(`the number is ${this.state.at}`)
    return this.state
  }

  /** Answers what the message does. */
  say(message: NumberMessage): NumberEffect[] {
    const { state, effects, replies } = decide(this.state, message, this.nowMs)
    this.state = state
    this.effects.push(...effects)
    this.replies.push(...replies)
    return [...effects]
  }

  all<T extends NumberEffect['type']>(type: T): Effect<T>[] {
    return this.effects.filter((effect): effect is Effect<T> => effect.type === type)
  }

  last<T extends NumberEffect['type']>(type: T): Effect<T> {
    const effect = this.all(type).at(-1)
    if (!effect) throw new Error(`there is no ${type}`)
    return effect
  }

  reply(askId: number): Reply | undefined {
    return this.replies.find((reply) => reply.askId === askId)
  }

  /** The session tells something. */
  hear(event: ProviderEvent): NumberEffect[] {
    const { sessionId } = this.last('openSession')
    return this.say({ type: 'Session', sessionId, event, callId: event.type === 'incomingCall' ? 'call_fresh' : null })
  }

  nextSeq(): number {
    return ++this.#seq
  }

  /** The last change of the row has this outcome. */
  saved(outcome: SaveOutcome = 'applied'): NumberEffect[] {
    return this.say({ type: 'Saved', attempt: this.last('save').attempt, outcome })
  }

  /** The session connects, and that is stored. */
  connect(): NumberEffect[] {
    if (this.ready.write) this.saved()
    const told = this.hear({ type: 'state', seq: this.nextSeq(), state: 'OPEN', reason: null })
    return [...told, ...(this.ready.write ? this.saved() : [])]
  }
}
