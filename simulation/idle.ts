/**
 * Waits until the process has nothing left to do but timers. Turns of actors are immediates and answers of stores are
 * promises; an immediate runs after all promises that are settled, so the process is idle once no immediate is open.
 */
const { setImmediate: soon, clearImmediate: notNow } = globalThis
const open = new Set<NodeJS.Immediate>()

/** Counts the immediates of this process from now on. Call it before the parts that are simulated are loaded. */
export function watchImmediates(): void {
  if (globalThis.setImmediate !== soon) return
  const counted = (run: (...words: unknown[]) => void, ...words: unknown[]): NodeJS.Immediate => {
    const immediate = soon(() => {
      open.delete(immediate)
      run(...words)
    })
    open.add(immediate)
    return immediate
  }
  globalThis.setImmediate = counted as typeof setImmediate
  globalThis.clearImmediate = (immediate) => {
    if (immediate) open.delete(immediate)
    notNow(immediate)
  }
}

/** Resolves once nothing is under way. */
export async function untilIdle(): Promise<void> {
  do await new Promise<void>((resolve) => void soon(resolve))
  while (open.size > 0)
}
