import type { ActorRef, Self, Spawner } from '../engine/runtime.ts'
import { decide } from './decide.ts'
import type { SendingEffects, SendingPorts } from './effects.ts'
import { createSendingEffects } from './effects.ts'
import type { SendingMessage } from './messages.ts'
import type { SendingRules } from './rules.ts'
import type { SendingState, Step } from './state.ts'
import { initialState } from './state.ts'

export type SendingRef = ActorRef<SendingMessage>

/**
 * Starts the actor that sends the messages of one number, below the number's actor. It does nothing until it is woken.
 */
export function spawnSending(parent: Spawner, ports: SendingPorts, rules: SendingRules): SendingRef {
  let effects: SendingEffects | null = null
  const effectsOf = (self: Self<SendingMessage>) => (effects ??= createSendingEffects(ports, self.tell))
  let isFenced = false

  const perform = (made: Step, self: Self<SendingMessage>): SendingState => {
    for (const effect of made.effects) {
      effectsOf(self).run(effect)
      if (effect.type !== 'stop') continue
      isFenced = effect.why === 'fenced'
      self.stop()
      ports.stopped(effect.why)
    }
    return made.state
  }

  return parent.spawn<SendingState, SendingMessage>('sending', {
    kind: 'sending',
    initial: initialState(rules),
    receive: (state, message, self) => perform(decide(state, message, ports.clock.monotonicMs()), self),
    // The rows are the state, so the number starts another actor. Messages that were with upstream are in doubt until
    // then.
    crashed() {
      effects?.stop()
      ports.stopped('crashed')
      return null
    },
    undelivered(message) {
      if (message.type !== 'Answered' || message.result.kind !== 'sent' || isFenced) return
      effects?.sentLate(message.messageId, message.result.externalMessageId)
    },
  })
}
