import type { WASocket } from 'baileys'
import type { BridgeSettings } from '../../../src/domain/device-bridge.ts'
import type { MediaShelf } from '../media/media-shelf.ts'
import { errorFields, untilAborted, type Log } from '../process/log.ts'
import { Turns } from '../process/turns.ts'
import type { EngineEvent } from '../protocol/engine-event.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { Answer } from '../socket/answers.ts'
import type { HandshakeGate } from '../socket/handshake-gate.ts'
import { nextStep, type StopReason } from '../socket/reconnect.ts'
import { openSocket, type SocketLife, type SocketOptions } from '../socket/socket-life.ts'
import type { Change } from '../store/changes.ts'
import type { NumberStore, StoredSession } from '../store/number-store.ts'
import { Arrivals } from './arrivals.ts'
import { Device } from './device.ts'
import { lidsOf } from './lids.ts'
import type { Lids, Listener, LiveSession } from './live-session.ts'
import { Outbox } from './outbox.ts'
import { PairingCodes } from './pairing-codes.ts'
import { healthOf, presentEvent } from './present.ts'
import { isSameNumber } from './same-number.ts'
import { applyLive, UNSET } from './settings-live.ts'
import { decideStart, type StartRequest } from './start-decision.ts'
import { Tellings } from './tellings.ts'

/** What all sessions of an engine share. */
export interface SessionParts {
  readonly gate: HandshakeGate
  /** Most events of one number that wait for its gateway. */
  readonly backlog: number
  readonly socket: SocketOptions
  /** Listeners to each socket, except for messages. */
  readonly listeners: readonly Listener[]
  readonly media: MediaShelf
  readonly log: Log
  readonly random: () => number
  readonly now: () => number
}

export type SessionState = 'CLOSE' | 'CONNECTING' | 'OPEN'

/** our choice: a socket that stood this many ms was good, and the retry delays after it start anew. */
const GOOD_SOCKET_MS = 10_000

/** The engine's side of one number of a gateway. It outlives the sockets of the gateway and of the network. */
export class NumberSession implements LiveSession {
  readonly numberId: string
  readonly store: NumberStore
  readonly log: Log
  readonly lids: Lids
  readonly media: MediaShelf
  readonly outbox: Outbox
  number = ''
  settings: BridgeSettings = UNSET
  historyImport = false
  mediaBearerOrigin: string | null = null
  readonly #parts: SessionParts
  readonly #arrivals: Arrivals
  readonly #sends = new Turns()
  readonly #starts = new Turns()
  readonly #tellings = new Tellings()
  readonly #codes: PairingCodes
  #state: SessionState = 'CLOSE'
  #life: SocketLife | null = null
  readonly #device = new Device()
  #failures = 0
  #openedAtMs = 0
  #retry: NodeJS.Timeout | null = null
  /** Counts starts and stops, so that work from before one is known as stale. */
  #epoch = 0

  constructor(numberId: string, store: NumberStore, parts: SessionParts) {
    this.numberId = numberId
    this.store = store
    this.media = parts.media
    this.log = untilAborted(parts.log.child({ numberId }), store.hold.over)
    this.#parts = parts
    this.outbox = new Outbox(store.events, (event) => presentEvent(this, event), {
      limit: parts.backlog,
      full: () => this.#leaveToNetwork(),
      failed: (error) => this.log.error(errorFields(error), 'events could not be handed to the gateway'),
    })
    this.#codes = new PairingCodes({
      typed: async () => (await this.#life?.sock.requestPairingCode(this.number).catch(() => null)) ?? null,
      show: (qr, pairingCode, expiresInMs) => this.emit({ ev: 'session.qr', qr, pairingCode, expiresInMs }),
      now: parts.now,
    })
    this.lids = lidsOf(() => this.#life?.sock ?? null)
    this.#arrivals = new Arrivals(
      this,
      (events, key) => {
        const also = key === null ? [] : store.journal.told(key, events.length, parts.now())
        return this.outbox.add(events, key, also)
      },
      () => this.#tellings.settled(),
    )
  }

  get state(): SessionState {
    return this.#state
  }

  get isOpen(): boolean {
    return this.#state === 'OPEN'
  }

  /** True when neither a socket nor a wait for one is there. */
  get isIdle(): boolean {
    return this.#state === 'CLOSE'
  }

  get sock(): WASocket {
    if (this.#life?.isOpen !== true)
      throw new Refusal('NOT_CONNECTED', 'The number is not connected to the network', true)
    return this.#life.sock
  }

  caughtUp(): Promise<void> {
    return this.#life?.caughtUp ?? Promise.resolve()
  }

  answered(externalId: string): Promise<Answer> {
    return this.#life?.answered(externalId) ?? Promise.resolve('none')
  }

  emit(event: EngineEvent): Promise<void> {
    return this.outbox.add([event])
  }

  emitAll(events: readonly EngineEvent[], also?: readonly Change[]): Promise<void> {
    return this.outbox.add(events, null, also)
  }

  hint(event: EngineEvent): void {
    this.outbox.hint(event)
  }

  drained(limit: number): Promise<void> {
    return this.outbox.drained(limit)
  }

  inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.#arrivals.inTurn(work)
  }

  inSendTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.#sends.run(work)
  }

  holds(telling: Promise<unknown>): void {
    this.#tellings.add(telling)
  }

  /** Starts the session for the present gateway socket: what waits is sent again, then the device connects or pairs. */
  start(request: StartRequest): Promise<void> {
    // At once, because a code to type may be asked for before the start has had its turn and read the store.
    this.#codes.isTypedWanted = request.pairingCode
    return this.#starts.run(() => this.#start(request))
  }

  async #start(request: StartRequest): Promise<void> {
    const { events } = this.store
    // Events that were acknowledged just now are gone then, so that they are neither considered nor sent again.
    await this.store.settled()
    const stored = await this.store.session()
    const decision = decideStart({ ...request, stored, isLinkUndelivered: await events.has('session.credentials') })
    this.number = request.number
    this.settings = request.settings
    this.historyImport = request.historyImport
    this.mediaBearerOrigin = request.mediaBearerOrigin
    if (decision === 'resume' && stored) {
      await this.#resume(stored)
      return this.outbox.start()
    }
    void this.#stop()
    // The reason of the end, which the gateway has not heard yet, says more than that the session is gone.
    if (decision === 'refuse' && stored === null && (await events.has('session.state'))) return this.outbox.start()
    await this.#wipe()
    if (decision === 'refuse') await this.#tellState('CLOSE', 'logged_out')
    this.outbox.start()
    if (decision === 'refuse') return
    this.#device.begin()
    this.#failures = 0
    this.#connectSoon(0)
  }

  /** Takes new settings, and applies at once those that show on the network. */
  async applySettings(settings: BridgeSettings): Promise<void> {
    this.settings = settings
    await applyLive(this)
  }

  /** Shows a code to type beside the one to scan, while the session pairs. */
  async showPairingCode(): Promise<void> {
    this.#codes.isTypedWanted = true
    if (!this.#device.isPaired) await this.#codes.addTyped()
  }

  /** Unlinks the device. When the network cannot be told now, the phone lists the device until the network drops it. */
  async logout(): Promise<void> {
    const life = this.#life
    if (life?.isOpen)
      await life.sock
        .logout()
        .catch((error: unknown) => this.log.warn(errorFields(error), 'the network was not told of a logout'))
    if (this.#life === life) await this.#close('logged_out', true)
  }

  /** Ends the session; the device stays linked. Resolves once the network has no socket of it any more. */
  end(): Promise<void> {
    const closed = this.#stop()
    this.#state = 'CLOSE'
    this.outbox.end()
    return closed
  }

  async #resume(stored: StoredSession): Promise<void> {
    // A socket, or the wait for one, is already there; only the gateway's socket is new.
    if (this.#state !== 'CLOSE' && this.#device.isPaired) return this.#tellState(this.#state)
    void this.#stop()
    this.#device.resume(stored)
    this.#failures = 0
    this.#connectSoon(0)
    await this.#tellState('CONNECTING')
  }

  #stop(): Promise<void> {
    this.#epoch += 1
    if (this.#retry) clearTimeout(this.#retry)
    const life = this.#life
    this.#life = null
    this.#codes.forget()
    return life?.end() ?? Promise.resolve()
  }

  async #wipe(): Promise<void> {
    this.#device.forget()
    await this.store.wipeSession()
  }

  #connectSoon(delayMs: number): void {
    const epoch = this.#epoch
    this.#state = this.#state === 'OPEN' ? 'OPEN' : 'CONNECTING'
    this.#retry = setTimeout(() => {
      this.#connect(epoch).catch((error: unknown) => {
        this.log.error(errorFields(error), 'a socket could not be made')
        if (epoch === this.#epoch) this.#ended(null, false)
      })
    }, delayMs)
  }

  /**
   * Closes the socket because too many events wait for the gateway: the network keeps messages for a device that is not
   * connected. The socket comes back when half of the events are gone.
   */
  #leaveToNetwork(): void {
    if (this.#life === null || !this.#device.isPaired) return
    this.log.warn(
      { waiting: this.store.events.waiting },
      'too many events wait for the gateway: the socket is closed until half are gone, and the network keeps messages',
    )
    const closed = this.#stop()
    const epoch = this.#epoch
    this.#openedAtMs = 0
    this.#run(this.#tellState('CONNECTING'))
    // The network is not logged in to a second time beside a socket that is not gone yet.
    this.#run(closed.then(() => (epoch === this.#epoch ? this.#connectSoon(0) : undefined)))
  }

  async #connect(epoch: number): Promise<void> {
    if (this.store.events.waiting > this.#parts.backlog) await this.outbox.drained(this.#parts.backlog / 2)
    if (epoch !== this.#epoch) return
    const leave = await this.#parts.gate.enter()
    // Read before the socket opens: what comes through it is newer.
    const untold = await this.store.journal.untold().catch((error: unknown) => {
      leave()
      throw error
    })
    await this.store.hold.sure().catch(() => {})
    if (epoch !== this.#epoch || !this.#device.creds || !this.store.hold.isSure()) return leave()
    const life = openSocket(
      {
        ...this.#parts.socket,
        store: this.store,
        creds: this.#device.creds,
        isAlwaysOnline: this.settings.alwaysOnline === true,
        historyImport: this.historyImport,
      },
      {
        qr: (text, expiresInMs) => {
          leave()
          this.#run(this.#codes.show(text, expiresInMs))
        },
        paired: () => this.#paired(),
        credsChanged: () => this.#saveCreds(),
        open: () => {
          leave()
          this.#run(this.#opened(life))
        },
        message: (message, stanza, read) => {
          if (this.#life === life) this.#arrivals.arrived(message, stanza, read)
        },
        told: () => this.#tellings.settled(),
        ended: (code, wasQrShown) => {
          leave()
          if (this.#life === life) this.#ended(code, wasQrShown)
        },
        failed: (error) => this.log.error(errorFields(error), 'a listener for an event of the network failed'),
      },
    )
    this.#life = life
    for (const listener of this.#parts.listeners) listener(this, life.listen)
    const { me } = this.#device.creds
    if (me) this.#arrivals.replay(untold, { id: me.id, lid: me.lid ?? '' })
  }

  /**
   * Stores the linked device before the network hears that we know of it, so that a crash leaves a complete device or
   * none.
   */
  async #paired(): Promise<void> {
    const { sessionId, creds } = this.#device
    if (!creds) return
    this.#device.isPaired = true
    this.#codes.forget()
    try {
      const row = this.store.sessionRow({ sessionId, number: this.number, creds })
      await this.emitAll([{ ev: 'session.credentials', credentials: sessionId }], [row])
    } catch (error) {
      // The network was told nothing, so the phone links nothing.
      this.#device.isPaired = false
      throw error
    }
  }

  #saveCreds(): void {
    const { sessionId, creds, isPaired } = this.#device
    if (!creds || !isPaired) return
    this.#run(this.store.saveSession({ sessionId, number: this.number, creds }))
  }

  async #opened(life: SocketLife): Promise<void> {
    this.#openedAtMs = this.#parts.now()
    const { user } = this.#device
    if (user !== undefined && !isSameNumber(user, this.number)) return this.#unlinkStranger(life)
    await this.#arrivals.replayProtocol(life.sock)
    await this.#tellState('OPEN')
  }

  /** Unlinks a device of another number. No event of that device is told, neither its messages nor its end. */
  async #unlinkStranger(life: SocketLife): Promise<void> {
    const epoch = this.#epoch
    this.#life = null
    await life.sock
      .logout()
      .catch((error: unknown) => this.log.warn(errorFields(error), 'a device of another number was not unlinked'))
    await life.end()
    if (epoch === this.#epoch) await this.#close('wrong_number', true)
  }

  #ended(code: number | null, wasQrShown: boolean): void {
    this.#life = null
    this.#codes.forget()
    const wasGood = this.#openedAtMs > 0 && this.#parts.now() - this.#openedAtMs >= GOOD_SOCKET_MS
    if (wasGood) this.#failures = 0
    this.#openedAtMs = 0
    const step = nextStep(
      { code, isPaired: this.#device.isPaired, wasQrShown, failures: this.#failures },
      this.#parts.random(),
    )
    this.log.info({ code, step: step.kind, ...(step.kind === 'stop' ? { reason: step.reason } : {}) }, 'socket ended')
    if (step.kind === 'stop') return this.#run(this.#close(step.reason, step.isWiped))
    if (step.kind === 'retry') this.#failures += 1
    // A code to type that nobody typed left the credentials half made: with them the next socket would log in as a
    // device that is not linked.
    if (!this.#device.isPaired) this.#device.begin(this.#device.sessionId)
    if (this.#state === 'OPEN') this.#run(this.#tellState('CONNECTING'))
    this.#connectSoon(step.kind === 'retry' ? step.delayMs : 0)
  }

  async #close(reason: StopReason, isWiped: boolean): Promise<void> {
    void this.#stop()
    this.#state = 'CLOSE'
    if (isWiped) await this.#wipe()
    const health = healthOf(reason)
    if (health) await this.emit(health)
    await this.#tellState('CLOSE', reason)
    this.outbox.end()
  }

  #tellState(state: SessionState, reason?: StopReason): Promise<void> {
    this.#state = state
    return this.emit({ ev: 'session.state', state, ...(reason === undefined ? {} : { reason }) })
  }

  #run(work: Promise<void>): void {
    work.catch((error: unknown) => this.log.error(errorFields(error), 'a step of a device session failed'))
  }
}
