import { callsOf } from '../hearing/call-book.ts'
import type { FetchOutcome } from '../media/media-shelf.ts'
import type { Sessions } from '../session/sessions.ts'
import type { Metric } from './exposition.ts'

/** Counters of a running engine; other metrics are looked up when they are read. */
export interface EngineCounters {
  mediaFetched(outcome: FetchOutcome): void
  read(sessions: Sessions): readonly Metric[]
}

const STATES = ['CLOSE', 'CONNECTING', 'OPEN'] as const

/** Makes the counters. No number or id is among the labels, because others than a number's owner read metrics. */
export function createEngineCounters(): EngineCounters {
  const fetched: Record<FetchOutcome, number> = { ok: 0, gone: 0, failed: 0 }
  return {
    mediaFetched: (outcome) => {
      fetched[outcome] += 1
    },
    read(sessions) {
      const all = [...sessions.all()]
      const { rss, heapUsed } = process.memoryUsage()
      return [
        gauge(
          'engine_sessions',
          'Sessions by state.',
          STATES.map((state) => ({
            labels: { state },
            value: all.filter((session) => session.state === state).length,
          })),
        ),
        gauge('engine_events_waiting', 'Events that gateways have not acknowledged yet.', [
          { value: sum(all.map((session) => session.store.events.waiting)) },
        ]),
        gauge('engine_calls_ringing', 'Calls that ring at numbers.', [
          { value: sum(all.map((session) => callsOf(session).list().length)) },
        ]),
        {
          name: 'engine_media_fetches_total',
          help: 'Received media that gateways fetched.',
          type: 'counter',
          samples: Object.entries(fetched).map(([outcome, value]) => ({ labels: { outcome }, value })),
        },
        gauge('process_resident_memory_bytes', 'Memory of the process.', [{ value: rss }]),
        gauge('nodejs_heap_size_used_bytes', 'Heap in use.', [{ value: heapUsed }]),
        {
          name: 'process_cpu_seconds_total',
          help: 'Time of processors.',
          type: 'counter',
          samples: [{ value: cpuSeconds() }],
        },
      ]
    },
  }
}

function gauge(name: string, help: string, samples: Metric['samples']): Metric {
  return { name, help, type: 'gauge', samples }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}
