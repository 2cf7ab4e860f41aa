import { pause } from '../actors/engine/pause.ts'
import type { Machine } from './machine.ts'

/** What a process needs before it can go on, and cannot have, it asks for again after so many ms. */
const AGAIN_MS = 1_000

/** Runs what a starting process cannot do without, until it succeeds. */
export async function untilDone(machine: Machine, run: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await run()
      return
    } catch {
      await pause(machine, AGAIN_MS)
    }
  }
}

/** Runs a chore of a process, and again so many ms after each end of it, failed or not. */
export function every(machine: Machine, everyMs: number, run: () => Promise<unknown>): void {
  const again = (): void => void machine.after(everyMs, () => every(machine, everyMs, run))
  void run().then(again, again)
}
