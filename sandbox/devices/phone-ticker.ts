import type { Clock, Timer } from '../../src/ports/clock.ts'

const SLOT_MS = 20

/** Calls its listeners every 20 ms on absolute monotonic deadlines, and only while there are any. */
export interface Ticker {
  /**
   * Calls `listen` with the number of slots since its last call: 1, or more after a stall. Answers the function that
   * stops it.
   */
  add(listen: (slots: number) => void): () => void
}

/** Makes the one clock that all phones speak by. */
export function createTicker(clock: Clock): Ticker {
  const listeners = new Set<(slots: number) => void>()
  let timer: Timer | null = null
  let startedMs = 0
  let doneSlots = 0

  function schedule(): void {
    const deadlineMs = startedMs + (doneSlots + 1) * SLOT_MS
    timer = clock.after(Math.max(0, deadlineMs - clock.monotonicMs()), tick)
  }

  function tick(): void {
    timer = null
    const slots = Math.floor((clock.monotonicMs() - startedMs) / SLOT_MS) - doneSlots
    doneSlots += slots
    if (slots > 0) for (const listen of listeners) listen(slots)
    if (listeners.size > 0) schedule()
  }

  return {
    add(listen) {
      listeners.add(listen)
      if (!timer) {
        startedMs = clock.monotonicMs()
        doneSlots = 0
        schedule()
      }
      return () => void listeners.delete(listen)
    },
  }
}
