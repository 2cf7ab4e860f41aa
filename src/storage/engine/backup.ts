import { constants } from 'node:fs'
import { copyFile, mkdir, readdir, rename, rm, stat, unlink } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import type { Clock } from '../../ports/clock.ts'
import { DATABASE_FOLDER } from './open-embedded.ts'

/** Files that belong to the running process, not to the installation. */
const OF_THE_PROCESS = /^(?:lock|database\.lock|admin\.sock)(?:\.|$)/
/** our choice: a file that changed less than this before it was looked at may change again without a new time, ms. */
const SAME_TIME_MS = 2_000

/** A copy of a data directory. */
export interface BackedUp {
  /** The absolute path of the copy. */
  readonly to: string
  readonly files: number
  readonly bytes: number
  /** How long the database stood still for it, ms. */
  readonly stillMs: number
}

export interface BackupParts {
  readonly clock: Clock
  readonly dataDir: string
  /**
   * Runs `work` while nothing is written to the embedded database; by then its files hold everything that was
   * committed.
   */
  still(work: () => Promise<void>): Promise<void>
}

interface Seen {
  readonly size: number
  readonly changedMs: number
  readonly seenMs: number
}

/**
 * Copies the data directory of an embedded installation to `to`, which must be missing or empty, as it is at one
 * moment: first everything while the database runs, then, while the database stands still, what has changed in it
 * since. Files of messages never change, so those that came meanwhile are copied last. An unfinished copy never has the
 * name `to`. Throws an error whose message says what is in the way.
 */
export async function backUp(parts: BackupParts, wanted: string): Promise<BackedUp> {
  const [from, to] = [resolve(parts.dataDir), resolve(wanted)]
  if (to === from || to.startsWith(from + sep))
    throw new Error(`${to} is in the data directory itself: name a folder elsewhere`)
  if (await isFilled(to)) throw new Error(`${to} is not empty: name a folder that is not there yet`)
  const unfinished = `${to}.unfinished`
  await rm(unfinished, { recursive: true, force: true })
  await mkdir(dirname(to), { recursive: true })
  const copy = new Copy(from, unfinished, parts.clock)
  try {
    await copy.take('')
    let stillMs = 0
    await parts.still(async () => {
      const sinceMs = parts.clock.monotonicMs()
      await copy.take(DATABASE_FOLDER)
      stillMs = Math.round(parts.clock.monotonicMs() - sinceMs)
    })
    await copy.take('', DATABASE_FOLDER)
    await rm(to, { recursive: true, force: true })
    await rename(unfinished, to)
    return { to, ...copy.total(), stillMs }
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    throw error
  }
}

async function isFilled(path: string): Promise<boolean> {
  return await readdir(path).then(
    (names) => names.length > 0,
    (error: NodeJS.ErrnoException) => error.code === 'ENOTDIR',
  )
}

/** A folder that is brought in step with another one, as often as it is asked to. */
class Copy {
  readonly #from: string
  readonly #to: string
  readonly #clock: Clock
  /** Files seen, by path within the folder. */
  readonly #seen = new Map<string, Seen>()

  constructor(from: string, to: string, clock: Clock) {
    this.#from = from
    this.#to = to
    this.#clock = clock
  }

  total(): Pick<BackedUp, 'files' | 'bytes'> {
    return { files: this.#seen.size, bytes: [...this.#seen.values()].reduce((sum, { size }) => sum + size, 0) }
  }

  /** Copies what is new or has changed below `folder`, except below `except`; removes from the copy what is gone. */
  async take(folder: string, except: string | null = null): Promise<void> {
    const there = new Set<string>()
    await this.#walk(folder, except, there)
    for (const path of this.#seen.keys()) {
      if (there.has(path) || !isBelow(path, folder) || (except !== null && isBelow(path, except))) continue
      this.#seen.delete(path)
      await unlink(join(this.#to, path))
    }
  }

  async #walk(folder: string, except: string | null, there: Set<string>): Promise<void> {
    await mkdir(join(this.#to, folder), { recursive: true, mode: 0o700 })
    for (const name of await readdir(join(this.#from, folder))) {
      const path = join(folder, name)
      if (path === except || (folder === '' && OF_THE_PROCESS.test(name))) continue
      // A file that is removed during the look counts as gone.
      const found = await stat(join(this.#from, path)).catch(unlessGone)
      if (found?.isDirectory()) await this.#walk(path, except, there)
      else if (
        found?.isFile()
        && (await this.#copy(path, { size: found.size, changedMs: found.mtimeMs, seenMs: this.#clock.now() }))
      )
        there.add(path)
    }
  }

  /** Copies a file when it changed; false when it is gone. */
  async #copy(path: string, now: Seen): Promise<boolean> {
    const before = this.#seen.get(path)
    const isSame =
      before?.size === now.size && before.changedMs === now.changedMs && before.changedMs < before.seenMs - SAME_TIME_MS
    if (isSame) return true
    this.#seen.set(path, now)
    return await copyFile(join(this.#from, path), join(this.#to, path), constants.COPYFILE_FICLONE).then(
      () => true,
      (error: unknown) => unlessGone(error) !== null,
    )
  }
}

function isBelow(path: string, folder: string): boolean {
  return folder === '' || !relative(folder, path).startsWith('..')
}

function unlessGone(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
  throw error
}
