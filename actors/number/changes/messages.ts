import type { CallId } from '../../../src/domain/ids.ts'
import type { Fault } from '../../../src/domain/set-aside.ts'
import type { OfficialCallEvent } from '../../../src/ports/official/call-events.ts'
import type { OfficialMessageEvent } from '../../../src/ports/official/changes.ts'

/** An event of a change; an incoming call has got the id it will have. */
export type ReadEvent =
  | Exclude<OfficialCallEvent, { type: 'incomingCall' }>
  | (OfficialCallEvent & { readonly type: 'incomingCall' } & { readonly callId: CallId })
  | OfficialMessageEvent

/** A stored change of an upstream webhook, and what it says of calls and messages. */
export interface ReadChange {
  /** Rises within the number. */
  readonly position: number
  readonly receivedAt: Date
  readonly events: readonly ReadEvent[]
  /** Why it cannot be read, or not all of it; null where it was. */
  readonly fault: Fault | null
}

export type SettleOutcome = 'applied' | 'gone' | 'fenced' | 'failed'

/** What a number hears of the changes that upstream webhooks told. */
export type ChangesMessage =
  /** Changes wait for the number. */
  | { readonly type: 'Receive' }
  | { readonly type: 'ChangesRead'; readonly attempt: number; readonly changes: readonly ReadChange[] | null }
  /** The outcome of an event of a change is stored; `fault`: it cannot be, for a reason of its own. */
  | { readonly type: 'EventSettled'; readonly seq: number; readonly fault?: Fault }
  | {
      readonly type: 'ChangeSettled'
      readonly attempt: number
      readonly position: number
      readonly outcome: SettleOutcome
      readonly fault: Fault | null
    }
