import { randomUUID } from 'node:crypto'
import { readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StoreAway } from '../../domain/store-away.ts'
import type { Clock } from '../../ports/clock.ts'
import type { FilePlace, FileTimes, LinkOrder } from '../../ports/file-place.ts'
import type { Log } from '../../ports/log.ts'
import type { Counter, Metrics } from '../../ports/metrics.ts'
import { type Bucket, BucketFault, LISTED } from './bucket.ts'
import { errorCodeOf } from '../storing.ts'
import { DiskPlace } from './disk-place.ts'

export interface BucketPlaceParts {
  readonly bucket: Bucket
  /** Of this node, for what waits to be uploaded, and for copies of what was read lately. */
  readonly directory: string
  /** Where the bytes are in it. Default: `files` in it. */
  readonly files?: string
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  /** How much of the disk copies may take, in bytes. Default `CACHE_BYTES`. */
  readonly cacheBytes?: number
  /** Whether links to the bucket are given out. Default false. */
  readonly isLinked?: boolean
}

/** Our choice: so much of the disk copies may take, in bytes. */
export const CACHE_BYTES = 2 ** 30
/**
 * Our choice: who keeps a file waits so long for its upload, in ms, so that a slow bucket does not hold up messages.
 */
const UPLOAD_MS = 2_000
/**
 * Our choice: a file that the bucket does not have may still be on its way from another node for so long after it was
 * made, in ms.
 */
const ON_ITS_WAY_MS = 3_600_000

/**
 * Files in a bucket. A file is on this node's disk before it is in the bucket: `put` writes it there durably and then
 * uploads it. What could not be uploaded waits, also over a restart, and is read from here meanwhile, so a bucket that
 * is away, full or closed to us keeps no message from being sent or stored. Files that were there before there was a
 * bucket are uploaded like those.
 */
export class BucketPlace implements FilePlace {
  readonly #bucket: Bucket
  /** Bytes, of files that wait and of copies alike, so that a path stays when its file was uploaded. */
  readonly #files: DiskPlace
  /** An empty file for each of them that the bucket has; its time is when it was last read here. */
  readonly #uploaded: DiskPlace
  readonly #temp: DiskPlace
  readonly #clock: Clock
  readonly #log: Log
  readonly #uploads: Counter
  readonly #cacheBytes: number
  readonly #isLinked: boolean
  /** Names of files that the bucket does not have yet, with since when, in ms since 1970. */
  readonly #waiting = new Map<string, number>()
  readonly #fetching = new Map<string, Promise<string | null>>()
  /** Behind which name the next look for overdue files begins. */
  #listedTo = ''

  constructor({
    bucket,
    directory,
    files,
    clock,
    log,
    metrics,
    cacheBytes = CACHE_BYTES,
    isLinked = false,
  }: BucketPlaceParts) {
    const within = (name: string) => new DiskPlace(join(directory, name), clock)
    this.#bucket = bucket
    this.#files = files === undefined ? within('files') : new DiskPlace(files, clock)
    this.#uploaded = within('uploaded')
    this.#temp = within('temp')
    this.#clock = clock
    this.#log = log
    this.#uploads = metrics.counter('file_uploads_total', 'Uploads of files to the bucket, by outcome.', ['outcome'])
    this.#cacheBytes = cacheBytes
    this.#isLinked = isLinked
  }

  async open(): Promise<void> {
    await Promise.all([this.#files.open(), this.#uploaded.open(), this.#temp.open()])
    for (const entry of await readdir(this.#files.pathOf(''), { withFileTypes: true }))
      if (entry.isFile() && (await this.#uploaded.find(entry.name)) === null) {
        // The time of the bytes is when the file expires; that of the entry is when it was put here.
        const { ctimeMs } = await stat(this.#files.pathOf(entry.name))
        this.#waiting.set(entry.name, ctimeMs)
      }
  }

  /** Files that are not in the bucket yet. */
  get waiting(): number {
    return this.#waiting.size
  }

  /** Since when the first of them waits, in ms since 1970; null when none does. */
  get waitingSince(): number | null {
    return [...this.#waiting.values()].reduce<number | null>((first, at) => Math.min(first ?? at, at), null)
  }

  async put(name: string, path: string, times: FileTimes): Promise<void> {
    await this.#files.put(name, path, times)
    this.#waiting.set(name, this.#clock.now())
    const uploaded = this.#upload(name).catch((error: unknown) => this.#tell(error))
    await this.#within(UPLOAD_MS, uploaded)
  }

  async find(name: string, madeAt: Date): Promise<string | null> {
    const path = await this.#files.find(name)
    if (path !== null) {
      if (!this.#waiting.has(name)) await this.#uploaded.seen(name)
      return path
    }
    const fetching = this.#fetching.get(name) ?? this.#fetch(name).finally(() => this.#fetching.delete(name))
    this.#fetching.set(name, fetching)
    const fetched = await fetching
    if (fetched === null && this.#clock.now() - madeAt.getTime() < ON_ITS_WAY_MS) throw new StoreAway('files')
    return fetched
  }

  /** The bucket is asked whether it has the file, so that no link leads to nothing while this node could serve it. */
  async link(name: string, order: LinkOrder, lastsMs: number): Promise<string | null> {
    const seconds = Math.floor(lastsMs / 1_000)
    if (!this.#isLinked || seconds < 1 || this.#waiting.has(name)) return null
    const isThere = await this.#bucket.has(name).catch((error: unknown) => {
      this.#tell(error)
      return false
    })
    return isThere ? this.#bucket.link(name, order, seconds) : null
  }

  async delete(names: readonly string[]): Promise<void> {
    for (const name of names) this.#waiting.delete(name)
    await this.#drop(names)
    for (const name of names) await this.#bucket.delete(name).catch((error: unknown) => this.#tell(error))
  }

  /**
   * Names the copies of this node that are older than `ageMs`, because their files may be gone, and a page of the
   * bucket's objects that are; the next call goes on behind it.
   */
  async *overdue(ageMs: number): AsyncGenerator<string> {
    const named = new Set<string>()
    for await (const name of this.#files.overdue(ageMs)) {
      if (this.#waiting.has(name)) continue
      named.add(name)
      yield name
    }
    const listed = await this.#bucket.list(this.#listedTo).catch((error: unknown) => {
      this.#tell(error)
      return []
    })
    this.#listedTo = listed.length < LISTED ? '' : (listed.at(-1)?.name ?? '')
    for (const { name, modifiedAt } of listed)
      if (!named.has(name) && this.#clock.now() - modifiedAt.getTime() > ageMs) yield name
  }

  /** Keeps a copy from being named again soon. A bucket has no time that could be moved. */
  seen(name: string): Promise<void> {
    return this.#files.seen(name)
  }

  /** Uploads what waits, one file after another, until the storage refuses what it would refuse of all. */
  async upload(): Promise<void> {
    for (const name of this.#waiting.keys()) {
      const isAway = await this.#upload(name).then(
        () => false,
        (error: unknown) => {
          this.#tell(error)
          return meetsAll(error)
        },
      )
      if (isAway) return
    }
  }

  /** Deletes the copies that were not read for longest, until the others fit. */
  async trim(): Promise<void> {
    const copies = []
    for (const name of await readdir(this.#uploaded.pathOf(''))) {
      const [file, mark] = await Promise.all(
        [this.#files, this.#uploaded].map((place) => stat(place.pathOf(name)).catch(() => null)),
      )
      copies.push({ name, size: file?.size ?? 0, usedMs: mark?.mtimeMs ?? 0 })
    }
    let bytes = copies.reduce((sum, { size }) => sum + size, 0)
    for (const { name, size } of copies.toSorted((a, b) => a.usedMs - b.usedMs)) {
      if (bytes <= this.#cacheBytes) return
      await this.#drop([name])
      bytes -= size
    }
  }

  /** Waits for work, but no longer than that; the work goes on. */
  #within(ms: number, work: Promise<void>): Promise<void> {
    return new Promise((resolve) => {
      const timer = this.#clock.after(ms, resolve)
      void work.then(() => {
        timer.cancel()
        resolve()
      })
    })
  }

  async #upload(name: string): Promise<void> {
    try {
      await this.#bucket.put(name, this.#files.pathOf(name))
    } catch (error) {
      this.#uploads.add({ outcome: 'failed' })
      throw error
    }
    this.#uploads.add({ outcome: 'stored' })
    // A file that was deleted while it was on its way is an orphan of the bucket, which `overdue` names.
    if (this.#waiting.delete(name)) await this.#mark(name)
  }

  async #fetch(name: string): Promise<string | null> {
    const path = this.#temp.pathOf(randomUUID())
    try {
      if (!(await this.#bucket.get(name, path))) return null
      await this.#mark(name)
      await rename(path, this.#files.pathOf(name))
      return this.#files.pathOf(name)
    } catch (error) {
      if (!(error instanceof BucketFault)) throw error
      this.#tell(error)
      throw new StoreAway('files')
    } finally {
      await rm(path, { force: true })
    }
  }

  async #mark(name: string): Promise<void> {
    await writeFile(this.#uploaded.pathOf(name), '', { mode: 0o600 })
    for (const place of [this.#uploaded, this.#files]) await place.seen(name)
  }

  /** Deletes files of this node, the bytes first: what has no mark is taken for a file that waits. */
  async #drop(names: readonly string[]): Promise<void> {
    await this.#files.delete(names)
    await this.#uploaded.delete(names)
  }

  #tell(error: unknown): void {
    const reason = error instanceof BucketFault ? error.message : errorCodeOf(error)
    this.#log.error({ reason, waiting: this.#waiting.size }, 'the file storage did not take or give a file')
  }
}

/** True of a storage that does not answer, is too busy, broken or closed to us; no other file would fare better. */
function meetsAll(error: unknown): boolean {
  if (!(error instanceof BucketFault)) return false
  const { status } = error
  return status === 0 || status === 401 || status === 403 || status === 429 || status >= 500
}
