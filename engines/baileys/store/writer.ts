import type { DatabaseSync } from 'node:sqlite'

interface Job {
  readonly work: () => void
  readonly done: () => void
  readonly failed: (error: unknown) => void
}

/**
 * Commits together what all numbers write in one turn of the event loop. A commit waits for the disk, and waiting once
 * for twenty numbers costs as much as for one. Each task is in its commit completely or not at all.
 */
export interface Writer {
  /** Resolves once the task is on the disk; rejects when it failed, and then nothing of it is stored. */
  write(work: () => void): Promise<void>
  /**
   * Writes with the next commit, at the latest after 50 ms. It is for writes that a crash may undo, because they come
   * again by themselves.
   */
  writeSoon(work: () => void): Promise<void>
  /** Commits waiting tasks now, in their order, for what has to be on the disk before the next line runs. */
  flush(): void
}

/** our choice: how many ms tasks that nobody waits for may wait for others. */
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
      // One bad task must not undo the others.
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
