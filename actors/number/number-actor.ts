import type { ActorRef, Self } from '../engine/runtime.ts'
import { decide } from './decide.ts'
import type { NumberEffects } from './effects.ts'
import { createNumberEffects } from './effects.ts'
import type { NumberMessage } from './messages.ts'
import type { NumberState, NumberTimes, Step } from './state.ts'
import { initialState } from './state.ts'
import type { NumberPorts } from './world.ts'

export type NumberRef = ActorRef<NumberMessage>

/** Starts the actor of one number, whose lease the caller holds. It loads itself first. */
export function spawnNumber(ports: NumberPorts, times: NumberTimes): NumberRef {
  let effects: NumberEffects | null = null
  const effectsOf = (self: Self<NumberMessage>) => (effects ??= createNumberEffects(ports, self))

  const perform = (made: Step, self: Self<NumberMessage>): NumberState => {
    for (const { askId, outcome } of made.replies) self.reply(askId, outcome)
    for (const effect of made.effects) effectsOf(self).run(effect)
    return made.state
  }

  const ref = ports.runtime.spawn<NumberState, NumberMessage>(ports.fence.numberId, {
    kind: 'number',
    initial: initialState(ports.fence.numberId, times),
    receive: (state, message, self) => perform(decide(state, message, ports.clock.now()), self),
    // The rows are the state, so the actor stops and its owner starts it again from them.
    crashed: (state, self) => perform(decide(state, { type: 'Crashed' }, ports.clock.now()), self),
    // A provider event that is not handled is not settled either, so it comes again to the next session.
    undelivered: () => {},
  })
  ref.tell({ type: 'Start' })
  return ref
}
