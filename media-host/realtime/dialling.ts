import { DIALECTS_BY_NAME } from './dialect.ts'
import { CLOSE } from './protocol.ts'
import { isLost, REDIAL_MS, STEADY_MS, wordsOf } from './redial.ts'
import { Session } from './session.ts'
import type { LookupFunction } from 'node:net'
import type { RealtimeSessionId } from '../../src/domain/ids.ts'
import type { RealtimeSessionState, SessionMode } from '../../src/domain/realtime-session.ts'
import type { Clock, Timer } from '../../src/ports/clock.ts'
import type { Connection, ConnectionListener } from './connection.ts'
import type { DialSocket } from './dial-socket.ts'
import type { OpenCall } from './gate.ts'
import type { SessionParameters } from './protocol.ts'

/** A session that a tenant asked for, with the server to dial. */
export interface WantedDial {
  readonly id: RealtimeSessionId
  readonly url: string
  /** Sent with each handshake; secret. */
  readonly headers: Readonly<Record<string, string>>
  readonly mode: SessionMode
  readonly parameters: SessionParameters
  /** Texts for the server's first message; empty when there are none. */
  readonly given: Readonly<Record<string, string>>
  /** True when `onDisconnect` acts on an answered call alone ([voice.number-setting.6]). */
  readonly sparesRinging: boolean
}

/** What the calls of a host share to dial. */
export interface DialParts {
  readonly dial: DialSocket
  /** Gives addresses that the guard lets through ([voice.connect-to.7]), at each connection anew. */
  readonly lookup: LookupFunction
  /** In bytes, of a dialect's longest message. */
  longestMessage(parameters: SessionParameters): number
  onOpened(): void
  onClosed(code: number): void
}

/** The call of a dialled session. */
export interface DiallingCall extends OpenCall {
  /** The talking client is gone for good: its `onDisconnect` acts. */
  lose(onDisconnect: SessionParameters['onDisconnect']): void
}

/**
 * One session whose server is dialled: until its socket opens, again when that is refused or lost, and no more once it
 * ended in order, was ended here, or could not be had ([voice.connect-to.6]).
 */
export class Dialling {
  readonly #parts: DialParts & { readonly clock: Clock }
  readonly #call: DiallingCall
  readonly #wanted: WantedDial
  /** That of its session, which may have been taken over. */
  #mode: SessionMode
  #tries = 0
  #openedAtMs: number | null = null
  /** When the socket that is open has stayed open for long enough, by the monotonic clock. */
  #steadyAtMs = 0
  #giveUp = (): void => {}
  #pause: Timer | null = null
  #isOpen = false
  #isStopped = false
  #isOver = false
  #told: RealtimeSessionState | null = null

  constructor(parts: DialParts & { readonly clock: Clock }, call: DiallingCall, wanted: WantedDial) {
    this.#parts = parts
    this.#call = call
    this.#wanted = wanted
    this.#mode = wanted.mode
  }

  get wanted(): WantedDial {
    return this.#wanted
  }

  /** True once nothing is dialled any more. */
  get isOver(): boolean {
    return this.#isOver
  }

  begin(): void {
    this.#tell({ status: 'CONNECTING' })
    this.#attempt()
  }

  /** Tells once more how the session stands. */
  tellAgain(): void {
    if (this.#told) this.#call.tellSession(this.#told)
  }

  /** Dials no more. A session that is open ends by its own socket. Idempotent. */
  stop(): void {
    this.#isStopped = true
    this.#giveUp()
    this.#pause?.cancel()
    if (!this.#isOpen) this.#end({ status: 'CLOSED' })
  }

  #attempt(): void {
    const { url, headers, parameters } = this.#wanted
    const { dial, lookup, longestMessage } = this.#parts
    this.#giveUp = dial(
      { url, headers, lookup, longestMessage: longestMessage(parameters) },
      {
        opened: (connection) => this.#opened(connection),
        failed: (failure) => this.#again(wordsOf(failure), null),
      },
    )
  }

  #opened(connection: Connection): ConnectionListener {
    const { id, mode, parameters, given } = this.#wanted
    const { clock, onOpened, onClosed } = this.#parts
    const session = new Session(connection, this.#call, {
      id,
      mode,
      isDialled: true,
      parameters,
      given: Object.keys(given).length === 0 ? null : given,
      codec: DIALECTS_BY_NAME[parameters.dialect].createCodec(parameters, {
        sessionId: id,
        tenantId: this.#call.call.tenantId,
      }),
      clock,
      onClosed,
      onLeft: (code) => this.#left(session, code),
      onMode: (mode) => {
        this.#mode = mode
        this.#tell({ status: 'OPEN' })
      },
    })
    onOpened()
    this.#mode = mode
    this.#isOpen = true
    this.#openedAtMs ??= clock.now()
    this.#steadyAtMs = clock.monotonicMs() + STEADY_MS
    this.#tell({ status: 'OPEN' })
    this.#call.join(session)
    return session
  }

  #left(session: Session, code: number): void {
    this.#isOpen = false
    if (this.#parts.clock.monotonicMs() >= this.#steadyAtMs) this.#tries = 0
    const wasTalking = this.#call.sockets.leave(session)
    if (!this.#isStopped && session.closedByUs === null && isLost(code))
      return this.#again('The connection was lost.', code)
    this.#end({ status: 'CLOSED', closeCode: code })
    if (wasTalking) this.#lose()
  }

  /** Dials again after a pause, unless that was done as often as may be. */
  #again(error: string, closeCode: number | null): void {
    if (this.#isOver) return
    const pauseMs = REDIAL_MS[this.#tries]
    if (pauseMs === undefined) {
      this.#end({ status: 'FAILED', error, closeCode })
      if (this.#wanted.mode === 'talk') this.#lose()
      return
    }
    this.#tries += 1
    this.#tell({ status: 'CONNECTING', error, closeCode })
    this.#pause = this.#parts.clock.after(pauseMs, () => {
      const { talker } = this.#call.sockets
      // Whoever speaks by now came later, so it is not replaced. A person may give the call back.
      if (this.#wanted.mode === 'talk' && talker !== null && !talker.takesOver)
        this.#end({ status: 'CLOSED', closeCode: CLOSE.replaced })
      else this.#attempt()
    })
  }

  #lose(): void {
    const { sparesRinging, parameters } = this.#wanted
    if (!sparesRinging || this.#call.status === 'ACCEPTED') this.#call.lose(parameters.onDisconnect)
  }

  #end(how: Pick<RealtimeSessionState, 'status'> & Partial<RealtimeSessionState>): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#tell({ ...how, closedAtMs: this.#parts.clock.now() })
  }

  #tell(how: Pick<RealtimeSessionState, 'status'> & Partial<RealtimeSessionState>): void {
    const { id, parameters } = this.#wanted
    this.#told = {
      id,
      direction: 'OUTBOUND',
      mode: this.#mode,
      dialect: parameters.dialect,
      openedAtMs: this.#openedAtMs,
      closedAtMs: null,
      closeCode: null,
      error: null,
      ...how,
    }
    this.#call.tellSession(this.#told)
  }
}
