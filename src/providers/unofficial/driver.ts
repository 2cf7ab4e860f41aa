import { BoundedMemory } from '../../domain/bounded-memory.ts'
import type { NumberId } from '../../domain/ids.ts'
import { unofficial } from '../../domain/kinds/unofficial.ts'
import { httpOriginOf } from '../../net/http-origin.ts'
import { createConnectGate } from '../../net/json-socket.ts'
import type { ConnectGate, JsonSocketTuning } from '../../net/json-socket.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Metrics } from '../../ports/metrics.ts'
import type { ProviderDriver } from '../../ports/provider.ts'
import { EventLedger } from './event-ledger.ts'
import { openEngineSession } from './session.ts'

export interface UnofficialDriverOptions {
  /** ws: or wss: base; a session is `<bridgeUrl>/sessions/<numberId>` ([bridge.socket.2]). */
  readonly bridgeUrl: string
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

/** Makes the driver of UNOFFICIAL numbers: a client of the device bridge. Throws when `bridgeUrl` is no URL. */
export function createUnofficialDriver(options: UnofficialDriverOptions): ProviderDriver {
  const { bridgeToken, clock, log, metrics } = options
  const base = new URL(options.bridgeUrl)
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
          url: sessionUrl(base, opening.numberId),
          engineHost: base.hostname,
          mediaBearerOrigin: bridgeToken === null ? null : httpOriginOf(options.bridgeUrl),
          headers: bridgeToken === null ? {} : { authorization: `Bearer ${bridgeToken}` },
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

function sessionUrl(base: URL, numberId: NumberId): string {
  const url = new URL(base)
  url.pathname = `${url.pathname.replace(/\/$/, '')}/sessions/${encodeURIComponent(numberId)}`
  return url.href
}
