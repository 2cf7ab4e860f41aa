import type { Timer } from '../../src/ports/clock.ts'
import type { Self, Spawner } from '../engine/runtime.ts'
import type { CallsPorts, CallsWorld } from './calls/effects.ts'
import type { ChangesPorts, ChangesWorld } from './changes/effects.ts'
import type { DevicesWorld } from './devices/effects.ts'
import type { LinkPorts, LinkWorld } from './link/effects.ts'
import type { NumberMessage, NumberTimer } from './messages.ts'
import type { ReceivingPorts, ReceivingWorld } from './receiving/effects.ts'
import type { RowsPorts, RowsWorld } from './rows/effects.ts'
import type { SendsPorts, SendsWorld } from './sends/effects.ts'
import type { StopReason } from './state.ts'

/** The ports of a number: those of its facets. */
export type NumberPorts = RowsPorts
  & LinkPorts
  & CallsPorts
  & ChangesPorts
  & ReceivingPorts
  & SendsPorts & {
    /** What the number starts below. */
    readonly runtime: Spawner
    /** The actor is gone, its session closed and its calls with it. */
    stopped(why: StopReason): void
  }

/** What the effects of one number hold: the only mutable things of an actor besides its state. */
export type NumberWorld = RowsWorld
  & LinkWorld
  & CallsWorld
  & ChangesWorld
  & ReceivingWorld
  & SendsWorld
  & DevicesWorld & {
    readonly ports: NumberPorts
    readonly self: Self<NumberMessage>
    readonly timers: Map<NumberTimer, Timer>
    stopping: StopReason | null
    isFinished: boolean
  }
