/** One open WebSocket as the protocol code sees it. After the close every call does nothing. */
export interface Connection {
  sendText(text: string): void
  /** Takes the bytes before it returns. */
  sendBinary(bytes: Uint8Array): void
  /** Runs `work` at once; what it sends leaves together. */
  cork(work: () => void): void
  ping(): void
  /**
   * Reads no more of the network until `resume`, pings and the end of the connection included. What was read before may
   * still be told.
   */
  pause(): void
  resume(): void
  /** Bytes handed over that the network has not taken yet. */
  readonly bufferedBytes: number
  end(code: number, reason: string): void
}

/** What the owner of a connection is told. */
export interface ConnectionListener {
  /** `bytes` are valid only inside the call. */
  message(bytes: Uint8Array, isBinary: boolean): void
  /** A ping or pong of the other side. */
  alive(): void
  /** Room was made by the network. */
  drain(): void
  /** Called once, however the connection ended. */
  closed(code: number): void
}

export interface UpgradeRequest {
  readonly path: string
  readonly query: URLSearchParams
  readonly authorization: string
  /** Lower-case name, empty when absent. */
  header(name: string): string
}

export type UpgradeDecision =
  | { readonly kind: 'accept'; open(connection: Connection): ConnectionListener }
  | { readonly kind: 'refuse'; readonly status: number; readonly body: object; readonly retryAfterSeconds?: number }

export function bearerOf(authorization: string): string | null {
  return /^Bearer\s+(.*\S)\s*$/i.exec(authorization)?.[1] ?? null
}
