import { succeed } from '../../../src/domain/errors.ts'
import type { NumberSettings } from '../../../src/domain/number.ts'
import type { ReadyNumber, Step } from '../state.ts'
import { step } from '../state.ts'

/** Uses new settings from now on and tells the session, when there is one. They are stored already. */
export function applySettings(state: ReadyNumber, askId: number, settings: NumberSettings): Step<ReadyNumber> {
  const next = { ...state, number: { ...state.number, settings } }
  if (state.link.at === 'NONE') return step(next, [], [{ askId, outcome: succeed(null) }])
  return step(next, [{ type: 'applySettings', askId, settings }])
}
