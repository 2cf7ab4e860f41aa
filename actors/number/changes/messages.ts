import type { CallId } from '../../../src/domain/ids.ts'
import type { PollVote } from '../../../src/domain/poll-vote.ts'
import type { Fault } from '../../../src/domain/set-aside.ts'
import type { OfficialCallEvent } from '../../../src/ports/official/call-events.ts'
import type { OfficialMessageEvent } from '../../../src/ports/official/changes.ts'

/** An event of a change. An incoming call already has the id that it will get. */
export type ReadEvent =
  | Exclude<OfficialCallEvent, { type: 'incomingCall' }>
  | (OfficialCallEvent & { readonly type: 'incomingCall' } & { readonly callId: CallId })
  | OfficialMessageEvent
  /** Of an engine, held until it could be stored. */
  | ({ readonly type: 'pollVoted' } & PollVote)

/** A stored change of an upstream webhook, with its call and message events. */
export interface ReadChange {
  /** Rises within the number. */
  readonly position: number
  readonly receivedAt: Date
  readonly events: readonly ReadEvent[]
  /** Why the change, or a part of it, cannot be read; null when all of it was. */
  readonly fault: Fault | null
}

export type SettleOutcome = 'applied' | 'gone' | 'fenced' | 'failed'

/** What a number hears of the changes of upstream webhooks. */
export type ChangesMessage =
  /** Changes wait for the number. */
  | { readonly type: 'Receive' }
  | { readonly type: 'ChangesRead'; readonly attempt: number; readonly changes: readonly ReadChange[] | null }
  /** The outcome of an event of a change is stored; with `fault`, it cannot be, for a reason of its own. */
  | { readonly type: 'EventSettled'; readonly seq: number; readonly fault?: Fault }
  | {
      readonly type: 'ChangesSettled'
      readonly attempt: number
      readonly positions: readonly number[]
      readonly outcome: SettleOutcome
      readonly fault: Fault | null
    }
