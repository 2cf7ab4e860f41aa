import type { DatabaseSync } from 'node:sqlite'

interface Job {
  readonly work: () => void
  readonly done: () => void
  readonly failed: (error: unknown) => void
}

/**
 * Commits what all numbers write in one turn of the event loop together: a commit waits for the disk, and waiting once
 * for twenty numbers costs what waiting for one does. Each work is whole in its commit or not there at all.
 */
export interface Writer {
  /** Resolves once the work is on the disk; rejects when it failed, and then nothing of it is there. */
  write(work: () => void): Promise<void>
  /**
   * Writes with the next commit, at the latest after 50 ms: for what a crash may take back, because it comes again by
   * itself.
   */
  writeSoon(work: () => void): Promise<void>
  /** Commits now what waits, in the order it came; for what has to be on the disk before the next line runs. */
  flush(): void
}

/** our choice: how long works that nobody waits for may wait for company. */
const SOON_MS = 50

export function createWriter(db: DatabaseSync): Writer {
  let jobs: Job[] = []
  let isAtOnce = false
  let soon: NodeJS.Timeout | null = null

  function commit(batch: readonly Job[]): void {
    db.exec('begin immediate')
    try {
      for (const { work } of batch) work()
      db.exec('commit')
    } catch (error) {
      if (db.isTransaction) db.exec('rollback')
      throw error
    }
  }

  function commitEach(batch: readonly Job[]): void {
    for (const job of batch) {
      try {
        commit([job])
        job.done()
      } catch (error) {
        job.failed(error)
      }
    }
  }

  function flush(): void {
    const batch = jobs
    jobs = []
    isAtOnce = false
    if (soon) clearTimeout(soon)
    soon = null
    if (batch.length === 0) return
    try {
      commit(batch)
    } catch {
      // One bad work must not undo those of others.
      commitEach(batch)
      return
    }
    for (const { done } of batch) done()
  }

  function enqueue(work: () => void): Promise<void> {
    return new Promise<void>((done, failed) => jobs.push({ work, done, failed }))
  }

  return {
    write(work) {
      if (!isAtOnce) setImmediate(flush)
      isAtOnce = true
      return enqueue(work)
    },
    writeSoon(work) {
      soon ??= setTimeout(flush, SOON_MS)
      return enqueue(work)
    },
    flush,
  }
}
