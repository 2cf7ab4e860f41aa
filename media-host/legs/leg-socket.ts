import type { CallId } from '../../src/domain/ids.ts'
import type { LegTable } from './leg.ts'

/** One open WebSocket that carries a leg. After its close every call does nothing. */
export interface LegSocket {
  sendText(text: string): void
  /** Takes the bytes before it returns. */
  sendBinary(bytes: Uint8Array): void
  ping(): void
  /** Bytes handed over that the network has not taken yet. */
  readonly bufferedBytes: number
  end(code: number, reason: string): void
}

/** What the leg is told of its socket. */
export interface LegSocketListener {
  /** `bytes` are valid only inside the call. */
  message(bytes: Uint8Array, isBinary: boolean): void
  alive(): void
  drain(): void
  closed(code: number): void
}

/** A leg that is carried by a socket, one after another. */
export interface SocketLeg {
  readonly callId: CallId
  /** No socket carries it, or the one that does has gone silent. */
  readonly takesSocket: boolean
  attach(socket: LegSocket): LegSocketListener
}

/** Where sockets of legs come from. */
export interface LegSockets {
  /**
   * Lets the other side connect, with the token: once, and again while the leg takes a socket. Only an address and a
   * token come of it.
   */
  expect(leg: SocketLeg): { readonly url: string; readonly token: string }
  /** Connects to the other side, at first and whenever the leg takes a socket again. */
  dial(leg: SocketLeg, url: string, token: string): void
  /** No socket any more. Idempotent. */
  forget(leg: SocketLeg): void
}

/** The kinds of leg of a host; `sockets`: where those come from that WebSockets carry. */
export type OpenLegs = (sockets: LegSockets) => LegTable
