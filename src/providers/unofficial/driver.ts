import { BoundedMemory } from '../../domain/bounded-memory.ts'
import { unofficial } from '../../domain/kinds/unofficial.ts'
import { createConnectGate } from '../../net/connect-gate.ts'
import type { ConnectGate } from '../../net/connect-gate.ts'
import type { JsonSocketTuning } from '../../net/json-socket-tuning.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Metrics } from '../../ports/metrics.ts'
import type { ProviderDriver } from '../../ports/provider.ts'
import { countedEngines } from './counted-engines.ts'
import type { Engines } from './engines.ts'
import { EventLedger } from './event-ledger.ts'
import { openEngineSession } from './session.ts'

export interface UnofficialDriverOptions {
  /** Where sessions are opened. */
  readonly engines: Engines
  /** Null when no authorization is sent. */
  readonly bridgeToken: string | null
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  /** Limits connects under way, over all sessions; default CONNECTS_AT_ONCE. */
  readonly gate?: ConnectGate
  readonly tuning?: Partial<JsonSocketTuning>
}

/** Our choice: a restart of an engine must not meet the handshakes of every number at once. */
const CONNECTS_AT_ONCE = 50
/**
 * Our choice: most that an engine may send for one number, so that one that floods takes little from the others. It is
 * several times what a busy number tells, and enough for a list of 10,000 groups.
 */
const ENGINE_TUNING: Partial<JsonSocketTuning> = {
  maxPayloadBytes: 4 * 1024 * 1024,
  maxFramesPerSecond: 2_000,
  maxBytesPerSecond: 8 * 1024 * 1024,
}
/** Our choice: numbers without a session whose last events are remembered. */
const IDLE_LEDGERS = 1_000

/** Makes the driver of UNOFFICIAL numbers: a client of the device bridge. */
export function createUnofficialDriver(options: UnofficialDriverOptions): ProviderDriver {
  const { engines: offered, bridgeToken, clock, log, metrics } = options
  const engines = countedEngines(
    offered,
    metrics.gauge('device_bridge_sessions', 'Sessions of numbers at device engines, by link.', ['state']),
  )
  const gate = options.gate ?? createConnectGate(CONNECTS_AT_ONCE)
  const requestCounter = metrics.counter('device_bridge_requests_total', 'Requests to device engines.', [
    'op',
    'outcome',
  ])
  const eventCounter = metrics.counter('device_bridge_events_total', 'Events of device engines.', ['type'])
  const ledgers = new BoundedMemory<EventLedger>({ most: IDLE_LEDGERS })
  return {
    kind: unofficial.name,
    openSession(opening, listener) {
      const ledger = ledgers.get(opening.numberId) ?? new EventLedger()
      // An open session holds its ledger itself; the map keeps ledgers for the next session.
      ledgers.delete(opening.numberId)
      return openEngineSession(
        {
          engines,
          bridgeToken,
          clock,
          gate,
          ledger,
          requestCounter,
          eventCounter,
          log: log.child({ numberId: opening.numberId }),
          tuning: { ...ENGINE_TUNING, ...options.tuning },
          onClosed() {
            // Keeps the last events, so that the next session is not told a settled CLOSE again.
            ledger.idle()
            ledgers.set(opening.numberId, ledger)
          },
        },
        opening,
        listener,
      )
    },
  }
}
