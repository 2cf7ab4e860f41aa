import type { EffectTable } from '../engine/effect-table.ts'
import { doEffect } from '../engine/effect-table.ts'
import type { Self } from '../engine/runtime.ts'
import { CALLS_EFFECTS } from './calls/effects.ts'
import { CHANGES_EFFECTS } from './changes/effects.ts'
import { DEVICES_EFFECTS, refuseDeviceAsks } from './devices/effects.ts'
import { closeSession, LINK_EFFECTS } from './link/effects.ts'
import type { NumberMessage, NumberTimer } from './messages.ts'
import { RECEIVING_EFFECTS } from './receiving/effects.ts'
import { ROWS_EFFECTS } from './rows/effects.ts'
import { SENDS_EFFECTS, stopSending } from './sends/effects.ts'
import { settle } from './settle.ts'
import type { NumberEffect, StopReason } from './state.ts'
import type { NumberPorts, NumberWorld } from './world.ts'

/**
 * our choice: how many ms a stopping number waits for the last words of its calls and sends before it closes its
 * session.
 */
const LAST_WORDS_MS = 5_000

const EFFECTS: EffectTable<NumberEffect, NumberWorld> = {
  ...ROWS_EFFECTS,
  ...LINK_EFFECTS,
  ...CALLS_EFFECTS,
  ...CHANGES_EFFECTS,
  ...RECEIVING_EFFECTS,
  ...SENDS_EFFECTS,
  ...DEVICES_EFFECTS,
  settle: (world, { seq }) => settle(world, world.open, seq),
  startTimer: (world, { timer, delayMs }) => startTimer(world, timer, delayMs),
  cancelTimer: (world, { timer }) => cancelTimer(world, timer),
  stop: (world, { why }) => stop(world, why),
}

export interface NumberEffects {
  run(effect: NumberEffect): void
}

/** Does the effects of one number and tells it their outcomes. No other part of a number touches ports. */
export function createNumberEffects(ports: NumberPorts, self: Self<NumberMessage>): NumberEffects {
  const world: NumberWorld = {
    ports,
    self,
    open: null,
    opening: null,
    ackedSeq: 0,
    calls: new Map(),
    receiving: null,
    deviceAsks: new Set(),
    timers: new Map(),
    sends: { wakes: 0, isBusy: false, inFlight: 0, lastMs: -Infinity },
    sending: null,
    stopping: null,
    isFinished: false,
    finishWhenDone: () => finishWhenDone(world),
  }
  return { run: (effect) => doEffect(EFFECTS, world, effect) }
}

function startTimer(world: NumberWorld, timer: NumberTimer, delayMs: number): void {
  cancelTimer(world, timer)
  world.timers.set(
    timer,
    world.ports.clock.after(delayMs, () => {
      world.timers.delete(timer)
      world.self.tell({ type: 'TimerFired', timer })
    }),
  )
}

function cancelTimer(world: NumberWorld, timer: NumberTimer): void {
  world.timers.get(timer)?.cancel()
  world.timers.delete(timer)
}

function finishWhenDone(world: NumberWorld): void {
  if (world.stopping && world.calls.size === 0 && !world.sends.isBusy) finish(world, world.stopping)
}

/**
 * Stops the number. A fenced one closes its session at once, because the next owner opens its own. Otherwise calls may
 * still hang up over it, and sends may still be answered.
 */
function stop(world: NumberWorld, why: StopReason): void {
  for (const timer of world.timers.values()) timer.cancel()
  world.timers.clear()
  if (world.stopping) return
  world.stopping = why
  refuseDeviceAsks(world)
  world.self.stop()
  stopSending(world, why)
  if (why === 'fenced') finish(world, why)
  else finishWhenDone(world)
  if (!world.isFinished)
    world.timers.set(
      'idle',
      world.ports.clock.after(LAST_WORDS_MS, () => finish(world, why)),
    )
}

function finish(world: NumberWorld, why: StopReason): void {
  if (world.isFinished) return
  world.isFinished = true
  for (const timer of world.timers.values()) timer.cancel()
  world.timers.clear()
  closeSession(world)
  world.ports.stopped(why)
}
