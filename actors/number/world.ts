import type { Timer } from '../../src/ports/clock.ts'
import type { Self, Spawner } from '../engine/runtime.ts'
import type { CallsPorts, CallsWorld } from './calls/effects.ts'
import type { ChangesPorts, ChangesWorld } from './changes/effects.ts'
import type { DevicesPorts, DevicesWorld } from './devices/effects.ts'
import type { LinkPorts, LinkWorld } from './link/effects.ts'
import type { NumberMessage, NumberTimer } from './messages.ts'
import type { ReceivingPorts, ReceivingWorld } from './receiving/effects.ts'
import type { RowsPorts, RowsWorld } from './rows/effects.ts'
import type { SendsPorts, SendsWorld } from './sends/effects.ts'
import type { StopReason } from './state.ts'

/** The ports of a number: those of all its facets. */
export type NumberPorts = RowsPorts
  & LinkPorts
  & CallsPorts
  & ChangesPorts
  & ReceivingPorts
  & DevicesPorts
  & SendsPorts & {
    /** Starts the actors below the number. */
    readonly runtime: Spawner
    /** Called when the actor is gone, with its session closed and its calls ended. */
    stopped(why: StopReason): void
  }

/** The state that the effects of one number share: the only mutable part of the actor besides its own state. */
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
