/**
 * our choice: an address that opens more sockets at once is throttled, and 200 at once doubled the memory of a process
 * (measured).
 */
const HANDSHAKES_AT_ONCE = 20
/** our choice: a handshake that neither opens nor fails gives up its place after this many ms. */
const HANDSHAKE_MS = 30_000

/** Limits the handshakes under way of all numbers of a process; first come, first served. */
export interface HandshakeGate {
  /** Resolves to the function that gives the place back; calling it twice does nothing. */
  enter(): Promise<() => void>
  readonly running: number
  readonly waiting: number
  /** The greatest number that ran at once. */
  readonly highest: number
}

export function createHandshakeGate(limit: number = HANDSHAKES_AT_ONCE, holdMs: number = HANDSHAKE_MS): HandshakeGate {
  const queue: (() => void)[] = []
  let running = 0
  let highest = 0

  function admit(): () => void {
    running += 1
    highest = Math.max(highest, running)
    let isHeld = true
    const leave = (): void => {
      if (!isHeld) return
      isHeld = false
      clearTimeout(timer)
      running -= 1
      queue.shift()?.()
    }
    const timer = setTimeout(leave, holdMs)
    timer.unref()
    return leave
  }

  return {
    enter() {
      if (running < limit) return Promise.resolve(admit())
      return new Promise((resolve) => queue.push(() => resolve(admit())))
    },
    get running() {
      return running
    },
    get waiting() {
      return queue.length
    },
    get highest() {
      return highest
    },
  }
}
