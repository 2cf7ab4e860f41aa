import type { CallId, NumberId } from '../src/domain/ids.ts'
import { CALL_MEDIA_MS, CALL_RING_MS, CALL_UNRINGING_MS, NUMBER_DISCONNECTED_MS } from '../src/domain/limits.ts'
import type { Leases } from '../src/ports/leases.ts'
import type { MediaPort } from '../src/ports/media.ts'
import type { ReadCallEvents, ReadMessageEvents } from '../src/ports/official-platform.ts'
import type { ProviderRegistry } from '../src/ports/provider.ts'
import type { CallStore } from '../src/ports/stores/call-store.ts'
import type { InboundStore } from '../src/ports/stores/inbound-store.ts'
import type { NumberStore } from '../src/ports/stores/number-store.ts'
import type { PairingStore } from '../src/ports/stores/pairing-store.ts'
import type { CallRef } from './call/call-actor.ts'
import type { CallTimes } from './call/state.ts'
import type { MessagePorts, MessageStores } from './number/message-ports.ts'
import type { NumberTimes } from './number/state.ts'
import type { RuntimeDeps } from './runtime.ts'

/** How long calls and numbers wait; defaults from domain/limits.ts and the choices below. */
export interface DirectoryTimers {
  readonly callUnringingMs: number
  readonly callRingMs: number
  readonly callMediaMs: number
  /** How long an OFFICIAL call that is not answered waits to be told of its end. */
  readonly callUpstreamMs: number
  readonly numberDisconnectedMs: number
  readonly numberIdleMs: number
  /** Pause between looks for changes and messages nobody was woken for. */
  readonly changesMs: number
}

export interface NumberHostingDeps extends RuntimeDeps, MessagePorts {
  readonly stores: MessageStores & { readonly numbers: NumberStore, readonly calls: CallStore, readonly pairing: PairingStore }
  /** Changes of upstream webhooks that wait for their numbers. */
  readonly inbound: Pick<InboundStore, 'pending' | 'settle' | 'listPending'>
  /** Reads what a change says of calls; a change it throws at is dropped. */
  readonly readCallEvents: ReadCallEvents
  /** Reads what a change says of messages; likewise. */
  readonly readMessageEvents: ReadMessageEvents
  /** Messages were queued here for a number that another node holds: lets main tell the nodes. Answers at once; must not throw. */
  elsewhere?(numberId: NumberId): void
  readonly leases: Leases
  readonly registry: ProviderRegistry
  readonly media: MediaPort
  readonly timers?: Partial<DirectoryTimers>
  /** Numbers starting at once. Default START_GATE. */
  readonly startGate?: number
  /** Filled by the calls of this node. */
  readonly liveCalls: Map<CallId, CallRef>
}

/** our choice: a number nobody needs leaves memory after a minute. */
const NUMBER_IDLE_MS = 60_000
/**
 * our choice: three times upstream's longest window to accept (60 s). Upstream itself ends a call nobody answers;
 * this is for one whose end never reaches us.
 */
const CALL_UPSTREAM_MS = 180_000
/** our choice: the net under lost wake-ups, and how long a change stored by another node's listener waits at worst. */
export const CHANGES_MS = 3_000
/** our choice: rows that could not be closed are tried again after this. */
const SWEEP_MS = 5_000
/** The times of a call, each given or its default. */
export function callTimes(timers: Partial<DirectoryTimers> = {}): CallTimes {
  return {
    unringingMs: timers.callUnringingMs ?? CALL_UNRINGING_MS,
    ringMs: timers.callRingMs ?? CALL_RING_MS,
    mediaMs: timers.callMediaMs ?? CALL_MEDIA_MS,
    upstreamMs: timers.callUpstreamMs ?? CALL_UPSTREAM_MS,
  }
}

/** The times of a number, each given or its default. */
export function numberTimes(timers: Partial<DirectoryTimers> = {}): NumberTimes {
  return {
    disconnectedMs: timers.numberDisconnectedMs ?? NUMBER_DISCONNECTED_MS,
    idleMs: timers.numberIdleMs ?? NUMBER_IDLE_MS,
    sweepMs: SWEEP_MS,
  }
}
