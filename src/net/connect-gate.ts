/** Lets a limited number of connects run at once; the others wait in order. */
export interface ConnectGate {
  /**
   * Calls `dial` when its turn has come. The caller calls the answer once the connect has ended, or to leave the queue.
   */
  enter(dial: () => void): () => void
}

/** Makes a gate for all sockets that share it. */
export function createConnectGate(limit: number): ConnectGate {
  const waiting = new Set<() => void>()
  let dialing = 0
  function admit(): void {
    for (const dial of waiting) {
      if (dialing >= limit) return
      waiting.delete(dial)
      dialing += 1
      dial()
    }
  }
  return {
    enter(dial) {
      let state: 'waiting' | 'dialing' | 'left' = 'waiting'
      const start = (): void => {
        state = 'dialing'
        dial()
      }
      waiting.add(start)
      admit()
      return () => {
        if (state === 'waiting') waiting.delete(start)
        if (state === 'dialing') dialing -= 1
        state = 'left'
        admit()
      }
    },
  }
}
