/** The part of a WebSocket that sends; the last of its arguments may be called once the bytes left. */
export interface Wire {
  send(...given: unknown[]): void
}

/** The right to send: a number's hold. */
export interface Right {
  isSure(): boolean
  sure(): Promise<void>
}

/**
 * Holds back what a socket sends until something is on the disk, and while another engine may hold the number. The
 * library acknowledges by itself, and at once: this is the only place that every acknowledgement passes.
 */
export interface SendGate {
  /**
   * From now on nothing is sent until `kept` resolves; then everything is, in its order. When it rejects, nothing is
   * ever sent again.
   */
  holdUntil(kept: Promise<unknown>): void
}

/**
 * Puts a gate before a wire. `failed` is called when something could not be kept, or when the right is over, with the
 * error.
 */
export function gateSends(wire: Wire, right: Right, failed: (error: unknown) => void): SendGate {
  const send = wire.send.bind(wire)
  const held: unknown[][] = []
  let holds = 0
  let isShut = false

  function refuse(given: readonly unknown[]): void {
    const sent = given.at(-1)
    if (typeof sent === 'function') sent(new Error('nothing is sent any more, because something could not be kept'))
  }

  wire.send = (...given) => {
    if (isShut) return refuse(given)
    if (holds === 0 && !right.isSure()) holdUntil(right.sure())
    if (holds > 0) held.push(given)
    else send(...given)
  }

  function holdUntil(kept: Promise<unknown>): void {
    holds += 1
    kept.then(release, shut)
  }

  function release(): void {
    holds -= 1
    if (holds > 0 || isShut) return
    if (!right.isSure()) return holdUntil(right.sure())
    for (const given of held.splice(0)) send(...given)
  }

  function shut(error: unknown): void {
    if (isShut) return
    isShut = true
    for (const given of held.splice(0)) refuse(given)
    failed(error)
  }

  return { holdUntil }
}
