/** A handshake that this end may have to begin; a server has no `connect`. */
export interface HelloEnd {
  connect?: () => Promise<void>
}

/**
 * In ms; the stack waits 100. Our choice: the peer hears that the connection is checked a moment before, and may need
 * that moment to listen; a hello that comes too early is sent again after half a second.
 */
const BEFORE_HELLO_MS = 20

/** Has a client say hello soon, because each call is heard that much later. The stack's own hello comes to nothing. */
export function sayHelloSoon(
  end: HelloEnd,
  isWanted: () => boolean,
  after: (act: () => void, ms: number) => unknown = setTimeout,
): void {
  const { connect } = end
  if (!connect) return
  let begun: Promise<void> | null = null
  const begin = () => (begun ??= connect.call(end))
  end.connect = begin
  after(() => {
    // The stack hears of a failure by its own call.
    if (isWanted()) begin().catch(() => {})
  }, BEFORE_HELLO_MS)
}
