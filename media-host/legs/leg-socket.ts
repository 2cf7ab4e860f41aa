import type { CallId } from '../../src/domain/ids.ts'
import type { LegTable } from './leg.ts'

/** One open WebSocket that carries a leg. After its close every call does nothing. */
export interface LegSocket {
  sendText(text: string): void
  /** Sends bytes, and has read them when it returns. */
  sendBinary(bytes: Uint8Array): void
  ping(): void
  /** Bytes that the network has not taken yet. */
  readonly bufferedBytes: number
  end(code: number, reason: string): void
}

/** Called by the socket of a leg. */
export interface LegSocketListener {
  /** `bytes` are valid only inside the call. */
  message(bytes: Uint8Array, isBinary: boolean): void
  alive(): void
  drain(): void
  closed(code: number): void
}

/** A leg over a sequence of sockets, one at a time. */
export interface SocketLeg {
  readonly callId: CallId
  /** True when no socket carries the leg, or the current one has gone silent. */
  readonly takesSocket: boolean
  attach(socket: LegSocket): LegSocketListener
}

/** Opens sockets for legs. */
export interface LegSockets {
  /**
   * Lets the other side connect with the token, the first time and whenever the leg takes a socket again. Only an
   * address and a token result from it.
   */
  expect(leg: SocketLeg): { readonly url: string; readonly token: string }
  /** Connects to the other side, the first time and whenever the leg takes a socket again. */
  dial(leg: SocketLeg, url: string, token: string): void
  /** Opens no further socket for the leg. Idempotent. */
  forget(leg: SocketLeg): void
}

/** Makes the kinds of leg of a host. `sockets` opens the WebSockets of legs over WebSockets. */
export type OpenLegs = (sockets: LegSockets) => LegTable
