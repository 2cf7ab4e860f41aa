import type { ActorRef, Self, Spawner } from '../engine/runtime.ts'
import { decide } from './decide.ts'
import type { CallEffects, CallPorts } from './effects.ts'
import { createCallEffects } from './effects.ts'
import type { CallMessage } from './messages.ts'
import type { CallFacts, CallState, CallTimes, Step } from './state.ts'
import { initialState } from './state.ts'

export type CallRef = ActorRef<CallMessage>

/**
 * Starts the actor of one call, below that of its number. It does nothing before StartOutbound, StartInbound or Resume.
 */
export function spawnCall(parent: Spawner, ports: CallPorts, facts: CallFacts, times: CallTimes): CallRef {
  let effects: CallEffects | null = null
  const effectsOf = (self: Self<CallMessage>) => (effects ??= createCallEffects(ports, facts.id, self.tell))
  let isFenced = false

  const perform = (made: Step, self: Self<CallMessage>): CallState => {
    isFenced = made.state.phase.at === 'GONE' && !made.state.phase.isOurs
    for (const { askId, outcome } of made.replies) self.reply(askId, outcome)
    for (const effect of made.effects) {
      effectsOf(self).run(effect, made.state)
      if (effect.type === 'stop') self.stop()
    }
    return made.state
  }

  return parent.spawn<CallState, CallMessage>(facts.id, {
    kind: 'call',
    initial: initialState(facts, times, ports.media.outlives),
    receive: (state, message, self) => perform(decide(state, message, ports.clock.now()), self),
    crashed(state, self) {
      try {
        return perform(decide(state, { type: 'Crashed' }, ports.clock.now()), self)
      } catch (error) {
        // Ending the call failed too: the actor gives up what it can, and the number closes the row later.
        effects?.cancelTimers()
        ports.media.close(facts.id, { status: 'FAILED', reason: 'INTERNAL_ERROR' })
        ports.stopped(facts.id, false)
        throw error
      }
    },
    undelivered(message) {
      if (message.type === 'Offered' && message.outcome.ok)
        void ports.session()?.terminateCall(message.outcome.value.externalCallId)
      else if ('seq' in message && !isFenced) ports.settle(message.seq)
    },
  })
}
