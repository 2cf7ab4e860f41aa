import type { CallId } from '../../src/domain/ids.ts'
import type { Timer } from '../../src/ports/clock.ts'
import type { ProviderRegistry } from '../../src/ports/provider.ts'
import type { NumberStore } from '../../src/ports/stores/number-store.ts'
import type { PairingStore } from '../../src/ports/stores/pairing-store.ts'
import type { CallRef } from '../call/call-actor.ts'
import type { CallTimes } from '../call/state.ts'
import type { Runtime, Self } from '../runtime.ts'
import type { ChangePorts } from './changes.ts'
import type { MessagePorts, MessageStores } from './message-ports.ts'
import type { MessageWorld } from './message-world.ts'
import type { NumberMessage, NumberTimer } from './messages.ts'
import type { Opening, OpenSession } from './open-session.ts'
import type { OrphanPorts } from './orphans.ts'
import type { StopReason } from './state.ts'

/** The world of a number. */
export interface NumberPorts extends OrphanPorts, ChangePorts, MessageStores, MessagePorts {
  readonly runtime: Runtime
  readonly numbers: NumberStore
  readonly pairings: PairingStore
  readonly registry: ProviderRegistry
  readonly callTimes: CallTimes
  callStarted(callId: CallId, ref: CallRef): void
  callStopped(callId: CallId): void
  /** The actor is gone, its session closed and its calls with it. */
  stopped(why: StopReason): void
}

/** What the effects of one number hold: the only mutable things of an actor besides its state. */
export interface NumberWorld extends MessageWorld {
  readonly ports: NumberPorts
  readonly self: Self<NumberMessage>
  readonly calls: Map<CallId, CallRef>
  readonly timers: Map<NumberTimer, Timer>
  open: OpenSession | null
  opening: Opening | null
  /** Highest sequence stored as settled. */
  ackedSeq: number
  stopping: StopReason | null
  isFinished: boolean
}
