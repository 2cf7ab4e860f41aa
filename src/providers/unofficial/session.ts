import type { BridgeSettings, SessionCloseReason } from '../../domain/device-bridge.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { NumberSettings } from '../../domain/number.ts'
import { openJsonSocket } from '../../net/json-socket.ts'
import type { ConnectGate, JsonFrame, JsonSocket, JsonSocketTuning } from '../../net/json-socket.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Counter } from '../../ports/metrics.ts'
import type { ProviderEvent, ProviderSession, SessionSpec } from '../../ports/provider.ts'
import { callOps, nothingOf } from './calls.ts'
import { deviceDirectory } from './devices.ts'
import { EngineRequests } from './engine-requests.ts'
import { engineCredentials } from './credentials.ts'
import type { EventLedger } from './event-ledger.ts'
import { readEvent } from './events.ts'
import type { EngineEvent } from './events.ts'
import { messageOps } from './messages.ts'

export interface SessionParts {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly clock: Clock
  readonly log: Log
  readonly gate: ConnectGate
  readonly tuning: Partial<JsonSocketTuning>
  readonly ledger: EventLedger
  /** Labels: op, outcome. */
  readonly requestCounter: Counter
  /** Labels: type. */
  readonly eventCounter: Counter
  /** Called once, when the session is closed. */
  readonly onClosed: () => void
}

/**
 * Reasons after which the engine does not take the session back by itself, so neither do we
 * (contract 8; "replaced" is lost ownership, architecture 6). A lost network is not one of them.
 */
const FINAL_REASONS: ReadonlySet<SessionCloseReason | null> = new Set(['logged_out', 'replaced', 'banned', 'qr_expired'] as const)

/** Opens the session of one number: starts it on each connection, asks, and tells what happens. */
export function openEngineSession(parts: SessionParts, spec: SessionSpec, listener: (event: ProviderEvent) => void): ProviderSession {
  return new EngineSession(parts, spec, listener).port()
}

class EngineSession {
  readonly #parts: SessionParts
  readonly #number: string
  readonly #historyImport: boolean
  readonly #listener: (event: ProviderEvent) => void
  readonly #requests: EngineRequests
  readonly #socket: JsonSocket
  /** As the engine last gave them, so that a reconnect does not pair anew. */
  #credentials: string | null
  #settings: NumberSettings
  #wantsStories: boolean
  #isStarted = false
  #isLinkTold = false
  #isFinal = false
  #isClosed = false
  /** Counts connections and losses, so that a late start outcome is known as such. */
  #connection = 0

  constructor(parts: SessionParts, spec: SessionSpec, listener: (event: ProviderEvent) => void) {
    this.#parts = parts
    this.#number = spec.number
    this.#historyImport = spec.historyImport
    this.#credentials = spec.credentials
    this.#settings = spec.settings
    this.#wantsStories = spec.wantsStories
    this.#listener = listener
    parts.ledger.reopen(spec.ackedSeq)
    this.#requests = new EngineRequests({ clock: parts.clock, send: (frame) => this.#socket.send(frame), counter: parts.requestCounter })
    const { url, headers, clock, log, gate, tuning } = parts
    this.#socket = openJsonSocket({ url, headers, clock, log, gate, tuning }, {
      up: () => void this.#start(),
      down: () => this.#down(),
      frame: (frame) => this.#receive(frame),
      malformed: () => this.#dropFrame(),
    })
  }

  port(): ProviderSession {
    const { offerCall, acceptCall, rejectCall, terminateCall } = callOps(this.#requests)
    const { sendText, sendMessage, markRead } = messageOps(this.#requests)
    return {
      offerCall, acceptCall, rejectCall, terminateCall, sendText, sendMessage, markRead,
      devices: deviceDirectory(this.#requests),
      applySettings: (settings, wantsStories) => this.#applySettings(settings, wantsStories),
      logout: () => this.#logout(),
      settle: (seq) => this.#settle(seq),
      close: () => this.#close(),
    }
  }

  async #start(): Promise<void> {
    this.#parts.ledger.connected()
    const connection = ++this.#connection
    const outcome = await this.#requests.start({
      number: this.#number,
      credentials: engineCredentials(this.#credentials),
      settings: bridgeSettings(this.#settings, this.#wantsStories),
      historyImport: this.#historyImport,
    })
    if (this.#isClosed || connection !== this.#connection) return
    if (outcome.ok) {
      this.#isStarted = true
      this.#tellLinkUp()
      this.#requests.ready()
      return
    }
    this.#parts.log.warn({ code: outcome.error.code, engineCode: outcome.engineError?.code }, 'engine did not start the session')
    this.#socket.drop()
  }

  #down(): void {
    this.#connection += 1
    this.#isStarted = false
    // After a final state no link will come: whoever waits is answered now.
    if (this.#isFinal) this.#requests.end()
    else this.#requests.dropped()
    if (!this.#isLinkTold) return
    this.#isLinkTold = false
    this.#raise({ type: 'linkDown' })
  }

  /** Told once a connection works: its start was answered, or an event came on it. */
  #tellLinkUp(): void {
    if (this.#isLinkTold) return
    this.#isLinkTold = true
    this.#raise({ type: 'linkUp' })
  }

  #receive(frame: JsonFrame): void {
    const { ev, seq } = frame
    if ('re' in frame) {
      if (!this.#requests.answer(frame)) this.#parts.log.debug({}, 'engine answered a request nobody waits for')
    } else if (typeof ev === 'string' && typeof seq === 'number' && Number.isSafeInteger(seq) && seq >= 0) {
      this.#receiveEvent(ev, seq, frame)
    } else {
      this.#dropFrame()
    }
  }

  #receiveEvent(ev: string, seq: number, frame: JsonFrame): void {
    const reading = readEvent(ev, frame, this.#number)
    if (reading.kind !== 'event') {
      // The name of an unknown event is the engine's text: kept out of the labels.
      this.#parts.eventCounter.add({ type: reading.kind })
      if (reading.kind === 'invalid') this.#parts.log.warn({ ev: reading.ev, seq }, 'engine event cannot be read')
      this.#parts.ledger.skip(seq)
      this.#sendAck()
      return
    }
    const { event, fingerprint } = reading
    const isStale = this.#isStale(event)
    if (isStale) this.#parts.ledger.skip(seq, fingerprint)
    const ticket = isStale ? null : this.#parts.ledger.arrive(seq, event, fingerprint)
    if (ticket === null) {
      this.#parts.eventCounter.add({ type: 'repeated' })
      this.#sendAck()
      return
    }
    this.#parts.eventCounter.add({ type: event.type })
    this.#tellLinkUp()
    this.#tell(ticket, event)
  }

  /** A session not started yet cannot have been replaced: this tells of an earlier one. */
  #isStale(event: EngineEvent): boolean {
    return event.type === 'state' && event.reason === 'replaced' && !this.#isStarted
  }

  #tell(ticket: number, event: EngineEvent): void {
    if (event.type === 'credentials') this.#credentials = event.credentials
    if (event.type === 'state') {
      const isFinal = event.state === 'CLOSE' && FINAL_REASONS.has(event.reason)
      if (isFinal && event.reason === 'logged_out') this.#credentials = null
      this.#setFinal(isFinal)
    }
    this.#raise({ ...event, seq: ticket })
  }

  /** A listener that throws has not settled its event: it comes again to the next session of the number. */
  #raise(event: ProviderEvent): void {
    if (this.#isClosed) return
    try {
      this.#listener(event)
    } catch (error) {
      this.#parts.log.error({ event: event.type, error: error instanceof Error ? error.name : 'unknown' }, 'session listener failed')
    }
  }

  /** After a final state a broken link stays broken. */
  #setFinal(isFinal: boolean): void {
    this.#isFinal = isFinal
    this.#socket.setReconnect(!isFinal)
  }

  async #applySettings(settings: NumberSettings, wantsStories: boolean): Promise<Outcome<null>> {
    this.#settings = settings
    this.#wantsStories = wantsStories
    return nothingOf(await this.#requests.ask('settings.set', { settings: bridgeSettings(settings, wantsStories) }, 'again'))
  }

  async #logout(): Promise<Outcome<null>> {
    const outcome = await this.#requests.ask('session.logout', {}, 'again')
    if (outcome.ok) {
      this.#credentials = null
      this.#setFinal(true)
    }
    return nothingOf(outcome)
  }

  #settle(ticket: number): void {
    this.#parts.ledger.settle(ticket)
    if (!this.#isClosed) this.#sendAck()
  }

  #sendAck(): void {
    if (!this.#socket.isUp) return
    const ack = this.#parts.ledger.takeAck()
    if (ack !== null) this.#socket.send({ ack })
  }

  #dropFrame(): void {
    this.#parts.eventCounter.add({ type: 'malformed' })
  }

  #close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#socket.close()
    this.#requests.end()
    this.#parts.onClosed()
  }
}

/**
 * The six settings an engine is told (contract 8). Status posts are asked for only while somebody wants them (spec: message.stories
 * is demand-driven); the protocol has no other word for that than `ignoreStatus`.
 */
function bridgeSettings(settings: NumberSettings, wantsStories: boolean): BridgeSettings {
  const { rejectCall, msgRejectCall, alwaysOnline, readMessages, ignoreGroups, ignoreStatus } = settings
  return { rejectCall, msgRejectCall, alwaysOnline, readMessages, ignoreGroups, ignoreStatus: wantsStories ? ignoreStatus : true }
}
