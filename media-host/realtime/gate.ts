import { newId } from '../../src/domain/ids.ts'
import { DIALECTS_BY_NAME } from './dialect.ts'
import { bearerOf } from './connection.ts'
import { readParameters } from './protocol-parameters.ts'
import { MAX_TWILIO_BYTES } from './protocol.ts'
import { Session } from './session.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type { Admission } from './admission.ts'
import type { TokenBook } from './tokens.ts'
import type { CallSockets } from './call-sockets.ts'
import type { RealtimeSessionState, SessionMode } from '../../src/domain/realtime-session.ts'
import type { Connection, UpgradeDecision, UpgradeRequest } from './connection.ts'
import type { SessionCall, SessionOptions } from './session.ts'

export const REALTIME_PATH = '/v1/realtime/'

/** A call that sockets may join. */
export interface OpenCall extends SessionCall {
  readonly sockets: CallSockets
  /** Adds an open session. */
  join(session: Session): void
  tellSession(state: RealtimeSessionState): void
}

export interface GateParts {
  readonly clock: Clock
  /** The live calls of this host. */
  readonly calls: { find(callId: string): OpenCall | null }
  readonly tokens: TokenBook
  readonly admission: Admission
  /** Counts refusals by the codes of [realtime.refusals.1] to [realtime.refusals.4]. */
  onRefused(code: string): void
  onOpened(): void
  onClosed(code: number): void
}

const TOKEN_TEXTS = {
  INVALID_TOKEN: 'The token is not valid for this call',
  TOKEN_USED: 'The token has been used; ask for a new session',
  TOKEN_EXPIRED: 'The token has expired; ask for a new session',
} as const

/**
 * Decides on the upgrade of a realtime socket ([realtime.session.5]). Our choice of order: token, call, parameters,
 * room. The token is consumed last, so that only success costs it. A known token of a call that is over answers
 * CALL_ENDED, used or not, because that tells the client more.
 */
export class RealtimeGate {
  /** Clients that may send longer messages. */
  readonly longer = {
    bytes: MAX_TWILIO_BYTES,
    isFor: (query: URLSearchParams): boolean => query.get('dialect') === 'twilio',
  } as const
  readonly #parts: GateParts

  constructor(parts: GateParts) {
    this.#parts = parts
  }

  upgrade(request: UpgradeRequest): UpgradeDecision {
    const { calls, tokens, admission } = this.#parts
    const callId = request.path.slice(REALTIME_PATH.length)
    const token = request.query.get('token') ?? bearerOf(request.authorization)
    const known = token === null ? null : tokens.find(token, callId)
    if (!known) return this.#refuseToken('INVALID_TOKEN')
    const live = calls.find(callId)
    if (!live) return this.#refuse(410, 'CALL_ENDED', 'The call is over')
    const state = known.state()
    if (state !== 'valid') return this.#refuseToken(state === 'used' ? 'TOKEN_USED' : 'TOKEN_EXPIRED')
    const read = readParameters(request.query)
    if (!read.ok) return this.#refuse(400, 'INVALID_PARAMETER', read.message)
    const dialect = DIALECTS_BY_NAME[read.value.dialect]
    const { mode, takesOver = false } = known.binding
    if (mode === 'listen' && live.sockets.isFullOfListeners)
      return this.#refuseCapacity('The call has all the listeners it can have')
    // A socket that replaces or joins another adds little load; the first of a call adds its audio.
    if (live.sockets.size === 0 && !admission.isOpen) return this.#refuseCapacity('This media host is full')
    if (!known.consume()) return this.#refuseToken('TOKEN_USED')
    const parameters = dialect.adapt(read.value)
    return { kind: 'accept', open: (connection) => this.#open(connection, live, { mode, takesOver, parameters }) }
  }

  /** Opens a session, and tells the gateway when it opens and when it is over. */
  #open(
    connection: Connection,
    live: OpenCall,
    wanted: Pick<SessionOptions, 'mode' | 'takesOver' | 'parameters'>,
  ): Session {
    const { clock, onOpened, onClosed } = this.#parts
    const { parameters } = wanted
    const { dialect } = parameters
    const id = newId('rts')
    const told = { id, direction: 'INBOUND', dialect, openedAtMs: clock.now(), error: null } as const
    const tellOpen = (mode: SessionMode): void =>
      live.tellSession({ ...told, mode, status: 'OPEN', closedAtMs: null, closeCode: null })
    const session = new Session(connection, live, {
      id,
      ...wanted,
      codec: DIALECTS_BY_NAME[dialect].createCodec(parameters, { sessionId: id, tenantId: live.call.tenantId }),
      clock,
      onClosed,
      onLeft: (closeCode) => {
        live.left(session)
        const { mode } = session
        live.tellSession({ ...told, mode, status: 'CLOSED', closedAtMs: clock.now(), closeCode })
      },
      onMode: tellOpen,
    })
    onOpened()
    tellOpen(wanted.mode)
    live.join(session)
    return session
  }

  #refuse(status: number, code: string, error: string): UpgradeDecision {
    this.#parts.onRefused(code)
    return { kind: 'refuse', status, body: { error, code } }
  }

  #refuseToken(code: keyof typeof TOKEN_TEXTS): UpgradeDecision {
    return this.#refuse(401, code, TOKEN_TEXTS[code])
  }

  #refuseCapacity(error: string): UpgradeDecision {
    this.#parts.onRefused('MEDIA_CAPACITY')
    const { retryAfterSeconds } = this.#parts.admission
    return { kind: 'refuse', status: 503, body: { error, code: 'MEDIA_CAPACITY' }, retryAfterSeconds }
  }
}
