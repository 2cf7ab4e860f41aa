import type { SessionReason } from '../../domain/device-bridge.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { NumberId } from '../../domain/ids.ts'
import type { NumberSettings } from '../../domain/number.ts'
import { httpOriginOf } from '../../net/http-origin.ts'
import { openJsonSocket } from '../../net/json-socket.ts'
import type { ConnectGate } from '../../net/connect-gate.ts'
import type { JsonFrame, JsonSocket } from '../../net/json-socket.ts'
import type { JsonSocketTuning } from '../../net/json-socket-tuning.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Counter } from '../../ports/metrics.ts'
import type { ProviderEvent, ProviderSession, SessionSpec } from '../../ports/provider.ts'
import { bridgeSettings } from './bridge-settings.ts'
import { callOps, nothingOf } from './calls.ts'
import { deviceDirectory } from './devices.ts'
import { EngineRequests } from './engine-requests.ts'
import type { Engines, EngineSeat } from './engines.ts'
import { sessionUrl } from './session-url.ts'
import { engineCredentials } from './credentials.ts'
import type { EventLedger } from './event-ledger.ts'
import { readEvent } from './events.ts'
import type { EngineEvent } from './events.ts'
import { readHint } from './hints.ts'
import { messageOps } from './messages.ts'

export interface SessionParts {
  readonly engines: Engines
  /** Null when no authorization is sent, with media neither. */
  readonly bridgeToken: string | null
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
 * Reasons after which the engine does not resume the session by itself, so neither do we ([bridge.events.2]; "replaced"
 * means that another owner took the number, [nodes.placement.5]). A lost network is not among them.
 */
const FINAL_REASONS: ReadonlySet<SessionReason | null> = new Set([
  'logged_out',
  'replaced',
  'banned',
  'qr_expired',
  'wrong_number',
] as const)
/** Reasons that undo the pairing itself. */
const UNPAIRED_REASONS: ReadonlySet<SessionReason | null> = new Set(['logged_out', 'wrong_number'] as const)

/** Our choice, in ms: an engine whose entry is gone and that does not answer a ping for this long is dead. */
const PROBE_MS = 5_000
/**
 * Our choice: with this many events outstanding nothing more is read from the engine, until half of them are stored.
 */
const HELD_AT = 2_000
const READ_ON_AT = 1_000
/**
 * Our choice: far above the ms since 1970 at which an engine may begin to count, and far below 2^53, where whole
 * numbers end.
 */
const SEQ_LIMIT = 2 ** 50

/** Opens the session of one number: it starts the session on each connection, sends requests, and tells events. */
export function openEngineSession(
  parts: SessionParts,
  opening: SessionSpec,
  listener: (event: ProviderEvent) => void,
): ProviderSession {
  return new EngineSession(parts, opening, listener).port()
}

class EngineSession {
  readonly #parts: SessionParts
  readonly #number: string
  readonly #historyImport: boolean
  readonly #listener: (event: ProviderEvent) => void
  readonly #requests: EngineRequests
  readonly #seat: EngineSeat
  readonly #socket: JsonSocket
  /** The base of the engine that was dialled last; everything about its address follows from it. */
  #base: URL | null = null
  /** The credentials that the engine last gave, so that a reconnect does not pair anew. */
  #credentials: string | null
  #settings: NumberSettings
  #wantsStories: boolean
  /** True once a pairing code was asked for: a reconnect that pairs anew asks for it again. */
  #wantsPairingCode = false
  #isStarted = false
  #isLinkTold = false
  #isFinal = false
  #isClosed = false
  #isHeld = false
  /** The `seq` of the last event of this connection; null before the first. */
  #lastSeq: number | null = null
  /** Faults of this connection; each is logged once. */
  #faults = new Set<string>()
  /** Counts connections and losses, so that the outcome of a late start is recognised. */
  #connection = 0

  constructor(parts: SessionParts, opening: SessionSpec, listener: (event: ProviderEvent) => void) {
    this.#parts = parts
    this.#number = opening.number
    this.#historyImport = opening.historyImport
    this.#credentials = opening.credentials
    this.#settings = opening.settings
    this.#wantsStories = opening.wantsStories
    this.#listener = listener
    parts.ledger.reopen(opening.ackedSeq)
    this.#requests = new EngineRequests({
      clock: parts.clock,
      send: (frame) => this.#socket.send(frame),
      counter: parts.requestCounter,
      engine: opening.engine ?? null,
    })
    const { bridgeToken, clock, log, gate, tuning } = parts
    const headers: Record<string, string> = bridgeToken === null ? {} : { authorization: `Bearer ${bridgeToken}` }
    const { numberId } = opening
    this.#seat = parts.engines.seat(numberId, () => this.#socket.probe(PROBE_MS))
    this.#socket = openJsonSocket(
      { url: () => this.#dial(numberId), headers, clock, log, gate, tuning },
      {
        up: () => this.#up(),
        down: () => this.#down(),
        over: (ending) => this.#seat.over(ending) ?? undefined,
        frame: (frame) => this.#receive(frame),
        malformed: () => this.#dropFrame(),
      },
    )
  }

  port(): ProviderSession {
    const { offerCall, acceptCall, rejectCall, terminateCall, liveCalls } = callOps(this.#requests)
    const { sendText, sendMessage, markRead } = messageOps(this.#requests)
    return {
      callMedia: () => this.#requests.callMedia,
      offerCall,
      acceptCall,
      rejectCall,
      terminateCall,
      liveCalls,
      sendText,
      sendMessage,
      markRead,
      devices: deviceDirectory(this.#requests),
      audioRefusal: () => this.#requests.refusalOf('callAudio'),
      applySettings: (settings, wantsStories) => this.#applySettings(settings, wantsStories),
      requestPairingCode: () => this.#requestPairingCode(),
      logout: () => this.#logout(),
      settle: (seq) => this.#settle(seq),
      close: () => this.#close(),
    }
  }

  #dial(numberId: NumberId): string | null {
    const base = this.#seat.dial()
    this.#base = base === null ? null : new URL(base)
    return this.#base && sessionUrl(this.#base, numberId)
  }

  #up(): void {
    this.#seat.up()
    void this.#start()
  }

  async #start(): Promise<void> {
    this.#parts.ledger.connected()
    this.#lastSeq = null
    this.#faults.clear()
    const connection = ++this.#connection
    const outcome = await this.#requests.start({
      number: this.#number,
      credentials: engineCredentials(this.#credentials),
      settings: bridgeSettings(this.#settings, this.#wantsStories),
      historyImport: this.#historyImport,
      ...(this.#wantsPairingCode && this.#credentials === null ? { pairingCode: true } : {}),
      ...(this.#parts.bridgeToken && this.#base ? { mediaBearerOrigin: httpOriginOf(this.#base.href) } : {}),
    })
    if (this.#isClosed || connection !== this.#connection) return
    if (outcome.ok) {
      this.#isStarted = true
      if (outcome.value.isNew) this.#raise({ type: 'engine', engine: outcome.value.engine })
      this.#tellLinkUp()
      this.#requests.ready()
      return
    }
    this.#parts.log.warn(
      { code: outcome.error.code, engineCode: outcome.engineError?.code },
      'engine did not start the session',
    )
    this.#socket.drop()
  }

  #down(): void {
    this.#connection += 1
    this.#isStarted = false
    this.#balance()
    // After a final state no link will come: waiting requests are answered now.
    if (this.#isFinal) this.#requests.end()
    else this.#requests.dropped()
    if (!this.#isLinkTold) return
    this.#isLinkTold = false
    this.#raise({ type: 'linkDown' })
  }

  /** Tells that the link works: the start was answered, or an event came on the connection. */
  #tellLinkUp(): void {
    if (this.#isLinkTold) return
    this.#isLinkTold = true
    this.#raise({ type: 'linkUp' })
  }

  #receive(frame: JsonFrame): void {
    const { ev, seq } = frame
    if ('re' in frame) {
      if (!this.#requests.answer(frame))
        this.#parts.log.debug({}, 'the engine answered a request that is over or was never sent')
    } else if (
      typeof ev === 'string'
      && typeof seq === 'number'
      && Number.isSafeInteger(seq)
      && seq >= 0
      && seq < SEQ_LIMIT
    ) {
      this.#followSeq(seq)
      this.#receiveEvent(ev, seq, frame)
      this.#balance()
    } else if (typeof ev === 'string' && seq === undefined) {
      this.#receiveHint(ev, frame)
    } else {
      this.#dropFrame()
    }
  }

  /** Tells what nothing is stored of. It may be lost, so it says nothing of the link either. */
  #receiveHint(ev: string, frame: JsonFrame): void {
    const event = readHint(ev, frame)
    if (event === null) return this.#dropFrame()
    this.#parts.eventCounter.add({ type: event.type })
    if (this.#isStarted) this.#raise(event)
  }

  #receiveEvent(ev: string, seq: number, frame: JsonFrame): void {
    const reading = readEvent(ev, frame, this.#number, this.#base?.hostname)
    if (reading.kind !== 'event') {
      // The name of an unknown event is the engine's text, so it is kept out of the labels.
      this.#parts.eventCounter.add({ type: reading.kind })
      if (reading.kind === 'invalid')
        this.#fault(`invalid ${reading.ev}`, { ev: reading.ev, seq }, 'engine event cannot be read')
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

  /**
   * Counts gaps: each event should have the next `seq`. Nothing depends on it, because an engine may leave out what is
   * out of date (docs/decisions/0003-device-bridge.md).
   */
  #followSeq(seq: number): void {
    const last = this.#lastSeq
    this.#lastSeq = seq
    if (last === null || seq === last + 1) return
    const kind = seq > last ? 'gap' : 'backwards'
    this.#parts.eventCounter.add({ type: kind })
    this.#fault(kind, { kind, last, seq }, 'engine does not count its events one by one')
  }

  #fault(kind: string, fields: object, text: string): void {
    if (this.#faults.has(kind)) return
    this.#faults.add(kind)
    this.#parts.log.warn(fields, text)
  }

  /**
   * Stops reading an engine that tells more than can be stored. Answers come after its events, so a session that is
   * starting is always read.
   */
  #balance(): void {
    const { backlog } = this.#parts.ledger
    const isHeld = this.#isStarted && backlog > (this.#isHeld ? READ_ON_AT : HELD_AT)
    if (isHeld === this.#isHeld) return
    this.#isHeld = isHeld
    if (isHeld) this.#parts.eventCounter.add({ type: 'held' })
    this.#socket.hold(isHeld)
  }

  /** A session that has not started cannot have been replaced: the event tells of an earlier one. */
  #isStale(event: EngineEvent): boolean {
    return event.type === 'state' && event.reason === 'replaced' && !this.#isStarted
  }

  #tell(ticket: number, event: EngineEvent): void {
    if (event.type === 'credentials') this.#credentials = event.credentials
    if (event.type === 'state') {
      const isFinal = event.state === 'CLOSE' && FINAL_REASONS.has(event.reason)
      if (isFinal && UNPAIRED_REASONS.has(event.reason)) this.#credentials = null
      this.#setFinal(isFinal)
    }
    this.#raise({ ...event, seq: ticket })
  }

  /**
   * Calls the listener. One that throws has not settled its event, which comes again in the next session of the number.
   */
  #raise(event: ProviderEvent): void {
    if (this.#isClosed) return
    try {
      this.#listener(event)
    } catch (error) {
      this.#parts.log.error(
        { event: event.type, error: error instanceof Error ? error.name : 'unknown' },
        'session listener failed',
      )
    }
  }

  /** Sets whether a broken link stays broken, as it does after a final state. */
  #setFinal(isFinal: boolean): void {
    this.#isFinal = isFinal
    this.#socket.setReconnect(!isFinal)
  }

  async #applySettings(settings: NumberSettings, wantsStories: boolean): Promise<Outcome<null>> {
    this.#settings = settings
    this.#wantsStories = wantsStories
    return nothingOf(
      await this.#requests.ask('settings.set', { settings: bridgeSettings(settings, wantsStories) }, 'again'),
    )
  }

  async #requestPairingCode(): Promise<Outcome<null>> {
    const outcome = await this.#requests.ask('session.pairing_code', {}, 'again')
    this.#wantsPairingCode ||= outcome.ok
    return nothingOf(outcome)
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
    if (this.#isClosed) return
    this.#sendAck()
    this.#balance()
  }

  #sendAck(): void {
    if (!this.#socket.isUp) return
    const ack = this.#parts.ledger.takeAck()
    if (ack !== null) this.#socket.send({ ack })
  }

  #dropFrame(): void {
    this.#fault('malformed', {}, 'engine sends what is no frame of the bridge')
    this.#parts.eventCounter.add({ type: 'malformed' })
  }

  #close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#socket.close()
    this.#seat.leave()
    this.#requests.end()
    this.#parts.onClosed()
  }
}
