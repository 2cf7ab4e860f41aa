/**
 * Immediates of the parts that are simulated, in their order. Turns of actors are immediates and answers of stores are
 * promises. They run here instead of in the event loop, which would take longer to go round than most turns take.
 */
const { setImmediate: soon } = globalThis
const waiting: (() => void)[] = []
const canceled = new WeakSet<object>()

/** After so many waits the event loop goes round once, for the process that runs the simulation. */
const ROUND = 1_000
let waits = 0

/** Keeps the immediates of this process from now on. */
export function keepImmediates(): void {
  if (globalThis.setImmediate !== soon) return
  const kept = (run: (...words: unknown[]) => void, ...words: unknown[]): object => {
    const immediate = {}
    waiting.push(() => void (canceled.has(immediate) || run(...words)))
    return immediate
  }
  globalThis.setImmediate = kept as unknown as typeof setImmediate
  globalThis.clearImmediate = (immediate) => void (immediate && canceled.add(immediate))
}

/** Calls `then` once nothing is under way. Node runs a tick once every promise that is settled was told so. */
export function whenIdle(then: () => void): void {
  waits += 1
  const turn = (): void => {
    const run = waiting.shift()
    if (!run) return then()
    run()
    onceToldAll(turn)
  }
  if (waits % ROUND === 0) soon(queueMicrotask, turn)
  else onceToldAll(turn)
}

/** Ticks follow each other without a look at promises, so `run` is no tick itself. */
function onceToldAll(run: () => void): void {
  process.nextTick(queueMicrotask, run)
}
