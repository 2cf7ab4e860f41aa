/** One open WebSocket as the protocol code sees it. After its close every call does nothing. */
export interface Connection {
  sendText(text: string): void
  /** Sends bytes, and has read them when it returns. */
  sendBinary(bytes: Uint8Array): void
  /** Runs `work` at once; the messages that it sends leave together. */
  cork(work: () => void): void
  ping(): void
  /**
   * Stops reading from the network until `resume`; that includes pings and the end of the connection. What was read
   * before may still be reported.
   */
  pause(): void
  resume(): void
  /** Bytes that the network has not taken yet. */
  readonly bufferedBytes: number
  end(code: number, reason: string): void
}

/** Called by a connection for its owner. */
export interface ConnectionListener {
  /** `bytes` are valid only inside the call. */
  message(bytes: Uint8Array, isBinary: boolean): void
  /** Called for a ping or pong of the other side. */
  alive(): void
  /** Called when the network took waiting bytes. */
  drain(): void
  /** Called once, however the connection ended. */
  closed(code: number): void
}

export interface UpgradeRequest {
  readonly path: string
  readonly query: URLSearchParams
  readonly authorization: string
  /** The value of a header by its lower-case name; empty without one. */
  header(name: string): string
}

export type UpgradeDecision =
  | { readonly kind: 'accept'; open(connection: Connection): ConnectionListener }
  | { readonly kind: 'refuse'; readonly status: number; readonly body: object; readonly retryAfterSeconds?: number }

export function bearerOf(authorization: string): string | null {
  return /^Bearer\s+(.*\S)\s*$/i.exec(authorization)?.[1] ?? null
}
