import { createHash, randomBytes } from 'node:crypto'
import { isSocketUrl } from '../../src/domain/call-media.ts'
import { LEG_TOKEN_MS } from '../../src/domain/limits.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type { Log } from '../../src/ports/log.ts'
import type { LegSockets, SocketLeg } from '../legs/leg-socket.ts'
import { bearerOf } from './connection.ts'
import { createDialSocket } from './dial-socket.ts'
import { CUT_BYTES } from './protocol.ts'
import type { DialFailure, DialSocket } from './dial-socket.ts'
import type { ConnectionListener, UpgradeDecision, UpgradeRequest } from './connection.ts'

export const LEGS_PATH = '/v1/legs/'

/** Our choice: the ms before each new dial to the other side; the last one repeats while the leg takes a socket. */
const REDIAL_MS = [250, 500, 1_000, 2_000] as const

export interface LegGateParts {
  readonly clock: Clock
  readonly log: Log
  /** The start of addresses, without a final slash. */
  publicUrl(): string
}

interface Expected {
  readonly leg: SocketLeg
  /** Monotonic ms by which the first socket must come. */
  readonly deadlineMs: number
  isUsed: boolean
}

const REFUSALS = {
  INVALID_TOKEN: 'The token is not valid for this leg',
  TOKEN_USED: 'The token has been used; it is good again once its socket has dropped',
  TOKEN_EXPIRED: 'The token has expired',
} as const

/**
 * Takes incoming sockets of raw audio legs and dials outgoing ones ([engines.pcm16.2]). A token opens one socket, and
 * another after that one dropped, as long as the leg waits. Tokens are stored as SHA-256 and read from the header only,
 * because proxies log addresses.
 */
export class LegGate implements LegSockets {
  readonly #parts: LegGateParts
  readonly #expected = new Map<string, Expected>()
  readonly #hashes = new Map<SocketLeg, string>()
  readonly #dial: DialSocket
  readonly #dialled = new Set<SocketLeg>()

  constructor(parts: LegGateParts) {
    this.#parts = parts
    this.#dial = createDialSocket(parts.log)
  }

  expect(leg: SocketLeg): { readonly url: string; readonly token: string } {
    const token = randomBytes(32).toString('base64url')
    const hash = hashOf(token)
    this.#hashes.set(leg, hash)
    this.#expected.set(hash, { leg, deadlineMs: this.#parts.clock.monotonicMs() + LEG_TOKEN_MS, isUsed: false })
    return { url: `${this.#parts.publicUrl()}${LEGS_PATH}${leg.callId}`, token }
  }

  dial(leg: SocketLeg, url: string, token: string): void {
    if (!isSocketUrl(url)) throw new TypeError('the address of a leg is a ws: or wss: URL')
    this.#dialled.add(leg)
    const again = (tries: number): void => {
      const waitMs = REDIAL_MS[Math.min(tries, REDIAL_MS.length - 1)] ?? 0
      this.#parts.clock.after(waitMs, () => attempt(tries + 1))
    }
    const attempt = (tries: number): void => {
      if (!this.#dialled.has(leg) || !leg.takesSocket) return
      this.#dial(
        { url, headers: { authorization: `Bearer ${token}` }, longestMessage: CUT_BYTES },
        {
          opened: (connection) => {
            const listener = leg.attach(connection)
            return {
              ...bound(listener),
              closed: (code) => {
                listener.closed(code)
                again(0)
              },
            }
          },
          failed: (failure) => {
            this.#parts.log.info({ why: whyOf(failure) }, 'the socket of a leg could not be opened')
            again(tries)
          },
        },
      )
    }
    attempt(0)
  }

  forget(leg: SocketLeg): void {
    this.#dialled.delete(leg)
    this.#expected.delete(this.#hashes.get(leg) ?? '')
    this.#hashes.delete(leg)
  }

  upgrade(request: UpgradeRequest): UpgradeDecision {
    const token = bearerOf(request.authorization)
    const expected = token === null ? undefined : this.#expected.get(hashOf(token))
    if (!expected || expected.leg.callId !== request.path.slice(LEGS_PATH.length)) return refuse('INVALID_TOKEN')
    if (!expected.leg.takesSocket) return refuse('TOKEN_USED')
    if (!expected.isUsed && this.#parts.clock.monotonicMs() >= expected.deadlineMs) return refuse('TOKEN_EXPIRED')
    expected.isUsed = true
    return { kind: 'accept', open: (connection) => expected.leg.attach(connection) }
  }
}

/** The name of an error, or the status that refused: neither tells an address. */
function whyOf(failure: DialFailure): string {
  return failure.kind === 'refused' ? String(failure.status) : failure.error.name
}

function bound(listener: ConnectionListener): Omit<ConnectionListener, 'closed'> {
  return {
    message: (bytes, isBinary) => listener.message(bytes, isBinary),
    alive: () => listener.alive(),
    drain: () => listener.drain(),
  }
}

function refuse(code: keyof typeof REFUSALS): UpgradeDecision {
  return { kind: 'refuse', status: 401, body: { error: REFUSALS[code], code } }
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64')
}
