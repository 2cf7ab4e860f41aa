import { succeed } from '../../../src/domain/errors.ts'
import type { AskedNumberCommand } from '../messages.ts'
import type { ReadyNumber, Step } from '../state.ts'
import { step } from '../state.ts'

/** Uses new settings from now on and tells the session, when there is one. They are stored already. */
export function applySettings(state: ReadyNumber, { askId, settings, piiMode }: AskedNumberCommand & { type: 'ApplySettings' }): Step<ReadyNumber> {
  const { number } = state
  const next = { ...state, number: { ...number, settings, piiMode: piiMode ?? number.piiMode } }
  if (state.link.at === 'NONE') return step(next, [], [{ askId, outcome: succeed(null) }])
  return step(next, [{ type: 'applySettings', askId, settings }])
}
