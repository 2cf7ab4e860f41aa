import type { Change } from './changes.ts'
import type { Driver } from './driver.ts'
import { endByFault, HoldFault, type Hold } from './hold.ts'

type Counts = readonly number[]

interface Task {
  /** Empty for what belongs to no number. */
  readonly numberId: string
  readonly hold: Hold | null
  readonly changes: () => readonly Change[]
  readonly done: (counts: Counts) => void
  readonly failed: (error: unknown) => void
}

interface Formed extends Task {
  readonly formed: readonly Change[]
}

/** What one number writes while it is held, or what belongs to no number. */
export interface HeldWriter {
  /**
   * Resolves to the number of rows of each change once the task is on the disk; rejects when it failed. Nothing of it
   * is stored then, unless the hold ended.
   */
  write(changes: readonly Change[]): Promise<Counts>
  /**
   * Writes with the number's next commit, at the latest after 50 ms. It is for writes that a crash may undo, because
   * they come again by themselves. `changes` is asked at that time.
   */
  writeSoon(changes: () => readonly Change[]): Promise<Counts>
  /** Resolves once everything that was written until now is on the disk, or failed. */
  settled(): Promise<void>
}

/**
 * Commits together what all numbers write in one turn of the event loop. A commit waits for the disk, and waiting once
 * for twenty numbers costs as much as for one. Each task is in its commit completely or not at all. Tasks of one number
 * are committed in their order, one commit after the other.
 */
export interface Writer {
  /** The writer of a number, or of what belongs to none (null). */
  of(hold: Hold | null): HeldWriter
  /** Commits what waits, and resolves once nothing is under way. */
  end(): Promise<void>
}

/** our choice: how many ms tasks that nobody waits for may wait for others. */
const SOON_MS = 50

export function createWriter(driver: Driver): Writer {
  let waiting: Task[] = []
  /** Numbers with a commit under way. */
  const busy = new Set<string>()
  const running = new Set<Promise<void>>()
  let isAtOnce = false
  /** True when tasks were left behind for a commit under way. */
  let isHeld = false
  let soon: NodeJS.Timeout | null = null

  function atOnce(): void {
    if (!isAtOnce) setImmediate(flush)
    isAtOnce = true
  }

  function take(): readonly Task[] {
    if (running.size >= driver.lanes) return []
    const batch = waiting.filter(({ numberId }) => !busy.has(numberId))
    waiting = busy.size === 0 ? [] : waiting.filter(({ numberId }) => busy.has(numberId))
    return batch
  }

  function flush(): void {
    isAtOnce = false
    if (soon) clearTimeout(soon)
    soon = null
    const batch = take()
    isHeld = waiting.length > 0
    if (batch.length === 0) return
    const numbers = new Set(batch.map(({ numberId }) => numberId))
    for (const numberId of numbers) busy.add(numberId)
    const run = commitTogether(driver, batch).finally(() => {
      running.delete(run)
      for (const numberId of numbers) busy.delete(numberId)
      if (isHeld) atOnce()
    })
    running.add(run)
  }

  function enqueue(hold: Hold | null, changes: () => readonly Change[]): Promise<Counts> {
    const numberId = hold?.numberId ?? ''
    return new Promise<Counts>((done, failed) => waiting.push({ numberId, hold, changes, done, failed }))
  }

  return {
    of(hold) {
      const write = (changes: readonly Change[]): Promise<Counts> => {
        atOnce()
        return enqueue(hold, () => changes)
      }
      return {
        write,
        writeSoon(changes) {
          soon ??= setTimeout(flush, SOON_MS)
          return enqueue(hold, changes)
        },
        settled: () =>
          write([]).then(
            () => {},
            () => {},
          ),
      }
    },
    async end() {
      while (waiting.length > 0 || running.size > 0) {
        flush()
        await Promise.all(running)
      }
    },
  }
}

/**
 * Commits tasks together, or each alone when that fails, because one bad task must not undo the others. What may be
 * stored is never tried again.
 */
async function commitTogether(driver: Driver, tasks: readonly Task[]): Promise<void> {
  const formed = tasks.flatMap((task) => form(task))
  try {
    await commit(driver, formed)
  } catch (error) {
    const isUnknown = error instanceof HoldFault && error.numberIds === null
    if (isUnknown || formed.length === 1) for (const task of formed) fail(task, error)
    else for (const task of formed) await commit(driver, [task]).catch((failure: unknown) => fail(task, failure))
  }
}

/** Ends the hold of a task whose fate nobody knows, before anybody hears of it. */
function fail({ hold, failed }: Task, error: unknown): void {
  endByFault(hold, error)
  failed(error)
}

function form(task: Task): readonly Formed[] {
  try {
    task.hold?.over.throwIfAborted()
    return [{ ...task, formed: task.changes() }]
  } catch (error) {
    task.failed(error)
    return []
  }
}

async function commit(driver: Driver, tasks: readonly Formed[]): Promise<void> {
  const changes = tasks.flatMap(({ formed }) => formed)
  const held = new Set(tasks.flatMap(({ hold, formed }) => (hold && formed.length > 0 ? [hold] : [])))
  const counts = changes.length === 0 ? [] : await driver.commit(changes, [...held])
  let first = 0
  for (const { formed, done } of tasks) {
    done(counts.slice(first, first + formed.length))
    first += formed.length
  }
}
