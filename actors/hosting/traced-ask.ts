import type { Outcome } from '../../src/domain/errors.ts'
import { endOf, toTrace } from '../../src/domain/trace.ts'
import type { Traces } from '../../src/ports/traces.ts'
import type { Ask } from './ask.ts'

/** Asks an actor, recorded as part of what asks; the trace goes along in the fields of the ask, over nodes too. */
export async function tracedAsk(
  traces: Traces,
  ask: Ask,
  run: (ask: Ask) => Promise<Outcome<unknown>>,
): Promise<Outcome<unknown>> {
  const { numberId, type: command, fields } = ask
  const within = 'trace' in fields ? toTrace(fields.trace) : null
  const of = ask.to === 'call' ? { numberId, callId: ask.callId } : { numberId }
  const span = traces.begin('number.ask', within, { ...of, command })
  if (!span) return await run(ask)
  const outcome = await run({ ...ask, fields: { ...fields, trace: span.trace } })
  span.end(endOf(outcome))
  return outcome
}
