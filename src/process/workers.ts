import { availableParallelism } from 'node:os'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import { superviseChild, type ChildSpec, type SupervisedChild } from './child.ts'

/** The number of worker processes of a program; `auto` is one for each core. */
export function workerCount(workers: number | 'auto'): number {
  return workers === 'auto' ? availableParallelism() : workers
}

/** Processes that are started and ended together. */
export interface Supervised {
  readonly children: readonly SupervisedChild[]
  /** Tells each to end; resolves when all have. Idempotent. */
  stop(): Promise<void>
}

/**
 * Starts children together; each is started again when it dies. Rejects when one does not start, and then none runs.
 */
export async function superviseAll(programs: readonly ChildSpec[], clock: Clock, log: Log): Promise<Supervised> {
  const starts = await Promise.allSettled(programs.map((program) => superviseChild(program, clock, log)))
  const children = starts.flatMap((start): SupervisedChild[] => (start.status === 'fulfilled' ? [start.value] : []))
  let stopping: Promise<unknown> | null = null
  async function stop(): Promise<void> {
    stopping ??= Promise.all(children.map((child) => child.stop()))
    await stopping
  }
  const failed = starts.find((start): start is PromiseRejectedResult => start.status === 'rejected')
  if (!failed) return { children, stop }
  await stop()
  throw failed.reason
}
