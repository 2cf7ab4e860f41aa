import { isSameJson } from '../../../src/domain/json-fields.ts'
import type { ProviderEvent } from '../../../src/ports/provider.ts'
import { beginSave } from '../rows/decide.ts'
import type { ReadyNumber, Step } from '../state.ts'
import { step } from '../state.ts'

/** Handles what an engine says of itself or of the number; it is stored when it differs from what was known. */
export function engineTold(
  state: ReadyNumber,
  event: ProviderEvent & { type: 'engine' | 'health' },
): Step<ReadyNumber> {
  const { engine = null, sessionHealth = null } = state.number
  if (event.type === 'engine')
    return isSameJson(engine, event.engine) ? step(state) : beginSave(state, { patch: { engine: event.engine } })
  const settle = { type: 'settle', seq: event.seq } as const
  if (isSameJson(sessionHealth, event.health)) return step(state, [settle])
  return beginSave(state, { patch: { sessionHealth: event.health }, seq: event.seq, effects: [settle] })
}
