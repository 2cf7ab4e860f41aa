import type { BridgeEvent, BridgeHint, BridgeSettings, SessionCloseReason } from '../../src/domain/device-bridge.ts'
import { ENGINE_CAPABILITIES } from '../../src/domain/engine.ts'
import type { EngineCapability } from '../../src/domain/engine.ts'
import type { CallMediaKind } from '../../src/domain/call-media.ts'
import type { Clock, Timer } from '../../src/ports/clock.ts'
import type { Credentials, Device } from './credentials.ts'
import { createEventLog, type EventLog } from './event-log.ts'
import { startPairing, type Pairing, type ShownCode } from './pairing.ts'

/** `SANDBOX_AUTOPAIR=on` scans this long after each code, ms ([sandbox.control.13]). */
const AUTOPAIR_MS = 1_000
const RESTART_MS = 5_000

/** What an engine of the network can do: all but lists, which its phones do not show, as real ones often do not. */
export const CAPABILITIES: readonly EngineCapability[] = ENGINE_CAPABILITIES.filter((word) => word !== 'lists')

/** How a phone scans. */
export interface ScanOptions {
  /**
   * Ms from the scan to OPEN, or for which a passkey is waited for. Null means at once, or until the phone scans again.
   */
  readonly holdMs: number | null
  /** The phone has to be unlocked with a passkey first. */
  readonly passkey: boolean
  /** Digits of the phone; null for those that the gateway asked for. */
  readonly as: string | null
}

const AT_ONCE: ScanOptions = { holdMs: null, passkey: false, as: null }

/** A phone has scanned, and is about to be linked. */
interface Linking {
  readonly as: string
  readonly asksPasskey: boolean
  readonly timer: Timer | null
}

/** The gateway's end of a session, as the session sees it. */
export interface SessionSocket {
  /**
   * False as soon as either end has begun to close, though the connection may last until the other end has read that.
   */
  readonly isOpen: boolean
  send(message: object): void
  /** Closes with a handshake that names the reason. */
  close(reason: string): void
  /** Cuts the connection without a handshake, as a failing network does. */
  cut(): void
}

export interface SessionParts {
  readonly clock: Clock
  readonly credentials: Credentials
  readonly autopair: boolean
  /** The kind that the phone of these digits was set to. */
  callMedia(number: string): CallMediaKind
  /** Called when a phone has scanned the session's code, and the session is open. */
  paired(session: DeviceSession): void
}

export interface StartRequest {
  /** Digits. */
  readonly number: string
  readonly credentials: string | null
  readonly settings: BridgeSettings
  readonly historyImport: boolean
}

/** The engine's side of one gateway number. It outlives its sockets: events wait for the next one. */
export class DeviceSession {
  readonly numberId: string
  /** Digits; empty until the gateway started the session. */
  number = ''
  settings: BridgeSettings | null = null
  /** What the engine of the number can do; told as the session is started. */
  capabilities: readonly EngineCapability[] = CAPABILITIES
  /** True when the gateway asked for messages from before the pairing. */
  isHistoryWanted = false
  /** Ms since the epoch of the latest OPEN, 0 before. */
  openedAt = 0
  /** Sockets that gateways opened for the session, and those that a newer one replaced. */
  socketsOpened = 0
  socketsReplaced = 0
  readonly #parts: SessionParts
  readonly #log: EventLog
  #socket: SessionSocket | null = null
  /** True once the present socket has started the session: only then does it get events, oldest first. */
  #isStarted = false
  #device: Device | null = null
  #pairing: Pairing | null = null
  #linking: Linking | null = null
  #autopair: Timer | null = null
  #restarted = Promise.withResolvers<void>()

  constructor(numberId: string, parts: SessionParts) {
    this.numberId = numberId
    this.#parts = parts
    // our choice: `seq` starts at the time in ms, so that it keeps rising over a restart of the sandbox.
    this.#log = createEventLog(parts.clock.now())
  }

  get isOpen(): boolean {
    return this.#device !== null
  }

  get isAttached(): boolean {
    return this.#socket !== null
  }

  get state(): 'OPEN' | 'CONNECTING' | 'CLOSE' {
    if (this.#device) return 'OPEN'
    return this.#pairing || this.#linking ? 'CONNECTING' : 'CLOSE'
  }

  /** The kind of audio leg that its phone offers, and that calls should be placed with. */
  get callMedia(): CallMediaKind {
    return this.#parts.callMedia(this.number)
  }

  /** The code on show; null when none is. */
  get code(): ShownCode | null {
    return this.#pairing?.code ?? null
  }

  /** True when a scan would do something: a code is on show, or a phone is about to be linked. */
  get isScannable(): boolean {
    return this.#pairing !== null || this.#linking !== null
  }

  get unacknowledgedEvents(): number {
    return this.#log.unacknowledged().length
  }

  /** Presence as other people see it (setting alwaysOnline). */
  get presence(): 'available' | 'unavailable' {
    return this.isOpen && this.settings?.alwaysOnline === true ? 'available' : 'unavailable'
  }

  /** Takes a new socket. An older one is told that it was replaced, and closed. */
  attach(socket: SessionSocket): void {
    const older = this.#socket
    this.#socket = socket
    this.#isStarted = false
    this.socketsOpened++
    if (!older?.isOpen) return
    this.socketsReplaced++
    older.send(this.#log.addUnkept({ ev: 'session.state', state: 'CLOSE', reason: 'replaced' }))
    older.close('replaced')
  }

  /** Forgets a socket that closed; events wait for the next. */
  detach(socket: SessionSocket): void {
    if (this.#socket !== socket) return
    this.#socket = null
    this.#isStarted = false
  }

  /** Numbers an event, keeps it, and sends it when a started socket is there. */
  emit(event: BridgeEvent): void {
    const sequenced = this.#log.add(event)
    if (this.#isStarted) this.#socket?.send(sequenced)
  }

  acknowledge(seq: number): void {
    this.#log.acknowledge(seq)
  }

  /**
   * Starts the session for the present socket. Waiting events are sent again; then valid credentials open it at once,
   * refused ones close it as logged out, and without credentials it shows codes to scan.
   */
  start(request: StartRequest): void {
    this.#restarted.resolve()
    this.#restarted = Promise.withResolvers<void>()
    this.#stopPairing()
    this.settings = request.settings
    this.isHistoryWanted = request.historyImport
    const isSameNumber = this.number === request.number
    this.number = request.number
    const device = this.#deviceOf(request, isSameNumber)
    if (device === 'new') {
      this.#device = null
      this.#log.forgetSessionEvents()
      this.#resend()
      this.#pair()
      return
    }
    this.#resend()
    if (device) this.#open(device)
    else this.#close('logged_out')
  }

  /** Tells what is true for seconds. The network tells only devices that are online; false when nobody is told. */
  hint(event: BridgeHint): boolean {
    if (!this.#isStarted || !this.#socket?.isOpen || this.presence !== 'available') return false
    this.#socket.send(event)
    return true
  }

  /**
   * The phone scans the code on show. A second scan ends the wait of the first, for the holding time or the passkey.
   * False when there is neither a code nor a phone that has scanned one.
   */
  scan({ holdMs, passkey, as }: ScanOptions = AT_ONCE): boolean {
    if (this.#linking) return this.#link(this.#linking)
    if (!this.#pairing) return false
    this.#stopPairing()
    this.emit({ ev: 'session.state', state: 'CONNECTING' })
    if (passkey) this.emit({ ev: 'session.state', state: 'CONNECTING', reason: 'passkey_required' })
    const waiting = { as: as ?? this.number, asksPasskey: passkey }
    if (holdMs === null && !passkey) return this.#link({ ...waiting, timer: null })
    const linking: Linking = {
      ...waiting,
      timer: holdMs === null ? null : this.#parts.clock.after(holdMs, () => this.#link(linking)),
    }
    this.#linking = linking
    return true
  }

  /** Lets the codes run out now. False when none is shown. */
  expire(): boolean {
    if (!this.#pairing) return false
    this.#stopPairing()
    this.#close('qr_expired')
    return true
  }

  /** Bans the number, which closes its session. Credentials stay valid. False when it was closed already. */
  ban(): boolean {
    if (this.state === 'CLOSE') return false
    this.#stopPairing()
    this.#close('banned')
    return true
  }

  /** Unlinks the device, from the phone or by the gateway. False when nothing was linked or being linked. */
  logout(): boolean {
    if (this.state === 'CLOSE') return false
    this.#stopPairing()
    if (this.#device) this.#parts.credentials.revoke(this.#device)
    this.#device = null
    this.#close('logged_out')
    return true
  }

  /** Cuts the socket; the session lives on. False when there is none. */
  drop(): boolean {
    const socket = this.#socket
    this.#socket = null
    this.#isStarted = false
    socket?.cut()
    return socket !== null
  }

  /**
   * Cuts the socket when there is one, and waits until a gateway has started the session again, 5 s at most (our
   * choice).
   */
  async restart(): Promise<void> {
    const started = this.#restarted.promise
    if (!this.drop()) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const patience = this.#parts.clock.after(RESTART_MS, resolve)
    await Promise.race([started, promise])
    patience.cancel()
  }

  /** Ends everything, for a reset. */
  dispose(): void {
    this.#stopPairing()
    this.#device = null
    this.drop()
  }

  /**
   * The device that a start resumes. Without credentials a linked session is resumed while its own credentials wait to
   * be acknowledged, because the scan happened while the socket was down.
   */
  #deviceOf(request: StartRequest, isSameNumber: boolean): Device | null | 'new' {
    if (request.credentials !== null) return this.#parts.credentials.verify(request.credentials, request.number)
    const isUndelivered = this.#log.unacknowledged().some((event) => event.ev === 'session.credentials')
    return this.#device && isUndelivered && isSameNumber ? this.#device : 'new'
  }

  /** Sends waiting events once for each socket, because it needs no repetition of what it got. */
  #resend(): void {
    if (this.#isStarted) return
    this.#isStarted = true
    for (const event of this.#log.unacknowledged()) this.#socket?.send(event)
  }

  /** Links the phone; one of another number is unlinked as soon as its number is known. */
  #link({ as, asksPasskey }: Linking): true {
    this.#stopPairing()
    if (asksPasskey) this.emit({ ev: 'session.state', state: 'CONNECTING' })
    const { device, text } = this.#parts.credentials.mint(as)
    this.emit({ ev: 'session.credentials', credentials: text })
    if (as === this.number) {
      this.#open(device)
      this.#parts.paired(this)
    } else {
      this.#parts.credentials.revoke(device)
      this.#close('wrong_number')
    }
    return true
  }

  #open(device: Device): void {
    this.#device = device
    this.openedAt = this.#parts.clock.now()
    this.emit({ ev: 'session.state', state: 'OPEN' })
  }

  #close(reason: SessionCloseReason): void {
    this.#device = null
    this.emit({ ev: 'session.state', state: 'CLOSE', reason })
  }

  #pair(): void {
    this.#pairing = startPairing(this.#parts.clock, {
      shown: (code) => {
        this.emit({ ev: 'session.qr', ...code })
        if (this.#parts.autopair) this.#scanSoon()
      },
      expired: () => void this.expire(),
    })
  }

  #scanSoon(): void {
    this.#autopair?.cancel()
    this.#autopair = this.#parts.clock.after(AUTOPAIR_MS, () => this.scan())
  }

  #stopPairing(): void {
    this.#pairing?.stop()
    this.#pairing = null
    this.#linking?.timer?.cancel()
    this.#linking = null
    this.#autopair?.cancel()
    this.#autopair = null
  }
}
