import { chance } from '../domain/randomness.ts'
import type { TraceSettings } from '../domain/trace-settings.ts'
import type { Clock } from '../ports/clock.ts'
import { NO_TRACES } from '../ports/traces.ts'
import type { Recorder, SentTraces } from './traces.ts'

/** Opens the traces of a program. Without a collector nothing is recorded, and nothing of OpenTelemetry is loaded. */
export async function openTraces(
  settings: TraceSettings | null,
  recorder: Recorder,
  clock: Clock,
): Promise<SentTraces> {
  if (settings === null) return { ...NO_TRACES, close: async () => {} }
  const { sendTraces } = await import('./traces.ts')
  return sendTraces(settings, recorder, { clock, random: chance })
}
