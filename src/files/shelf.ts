import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { newSecretId } from '../domain/ids.ts'
import type { FileId, NumberId, TenantId } from '../domain/ids.ts'
import type { Clock } from '../ports/clock.ts'
import type { FilePlace, PlacedFile } from '../ports/file-place.ts'
import type { FileStore, StoredFile } from '../ports/stores/file-store.ts'
import { openOnce } from './opening.ts'
import { DiskPlace } from './places/disk-place.ts'

/** A closed file at a temporary path, about to be kept. */
export interface NewFile {
  readonly tempPath: string
  readonly tenantId: TenantId
  readonly numberId: NumberId
  readonly mimeType: string
  readonly sizeBytes: number
  readonly fileName: string | null
  readonly keepMs: number
}

const FILE_ID = /^file_[0-9a-z]{26}$/
/** Our choice: no work on a file takes as long; a younger file may belong to another process. */
const ABANDONED_MS = 3_600_000
/**
 * Our choice: rows are deleted first. A file that lost its row too early, or on another node, is deleted this long
 * after it expired, or after its row was last seen.
 */
const ORPHAN_MS = 24 * 3_600_000
const PURGE_BATCH = 200
/**
 * Our choice, in ms: a link to the storage can be opened for so long, time enough for whoever was just led to it; a
 * transfer that has begun goes on.
 */
const LINK_MS = 60_000

/** What a shelf works on. */
export interface ShelfParts {
  /** Directory of this node for files on their way; made when missing. */
  readonly directory: string
  readonly rows: FileStore
  readonly clock: Clock
  /** Where files are kept. Default: `files` in the directory. */
  readonly place?: FilePlace
}

/**
 * Files of messages, of templates and recordings, with their rows. A file is named by its id. When it expires by its
 * place its row may say otherwise: a template keeps the file for longer.
 */
export class Shelf {
  readonly #rows: FileStore
  readonly #clock: Clock
  readonly #place: FilePlace
  readonly #temp: DiskPlace
  /** Makes the directories and removes files that killed processes left half written. Runs once. */
  readonly open = openOnce(() => this.#make())

  constructor({ directory, rows, clock, place = new DiskPlace(join(directory, 'files'), clock) }: ShelfParts) {
    this.#rows = rows
    this.#clock = clock
    this.#place = place
    this.#temp = new DiskPlace(join(directory, 'temp'), clock)
  }

  /** Makes a path for a file on its way; the caller removes the file. */
  async tempPath(): Promise<string> {
    await this.open()
    return this.#temp.pathOf(randomUUID())
  }

  /** Moves a file to its place, durably. Null when the number is gone. */
  async keep(file: NewFile): Promise<StoredFile | null> {
    const id = newSecretId('file')
    const createdAt = new Date(this.#clock.now())
    const expiresAt = new Date(createdAt.getTime() + file.keepMs)
    const { tempPath, keepMs: _, ...facts } = file
    await this.#place.put(id, tempPath, { createdAt, expiresAt })
    const row = { id, ...facts, path: id, createdAt, expiresAt }
    if (await this.#rows.add(row)) return row
    await this.#place.delete([id])
    return null
  }

  /** Finds a kept file that has not expired and whose bytes can be had on this node; null otherwise. */
  async find(id: string): Promise<{ readonly row: StoredFile; readonly path: string } | null> {
    const located = await this.locate(id)
    const path = located && (await located.path())
    return located && path !== null ? { row: located.row, path } : null
  }

  /** Finds a kept file that has not expired, without its bytes; null otherwise. */
  async locate(id: string): Promise<(PlacedFile & { readonly row: StoredFile }) | null> {
    const row = FILE_ID.test(id) ? await this.#rows.find(id) : null
    return (
      row && {
        row,
        path: () => this.#place.find(id, row.createdAt),
        link: (order) => this.#place.link(id, order, Math.min(LINK_MS, row.expiresAt.getTime() - this.#clock.now())),
      }
    )
  }

  async remove(ids: readonly FileId[]): Promise<void> {
    if (ids.length > 0) await this.#delete(await this.#rows.remove(ids))
  }

  /** Deletes what expired, and files that lost their rows. Gives the number of rows. */
  async purge(): Promise<number> {
    await this.open()
    let count = 0
    for (;;) {
      const rows = await this.#rows.takeExpired(PURGE_BATCH)
      await this.#delete(rows)
      count += rows.length
      if (rows.length < PURGE_BATCH) break
    }
    await this.#sweepTemp()
    await this.#sweepOrphans()
    return count
  }

  async #make(): Promise<void> {
    await Promise.all([this.#temp.open(), this.#place.open()])
    await this.#sweepTemp()
  }

  #delete(rows: readonly StoredFile[]): Promise<void> {
    return this.#place.delete(rows.map(({ id }) => id))
  }

  async #sweepTemp(): Promise<void> {
    for await (const name of this.#temp.overdue(ABANDONED_MS)) await this.#temp.delete([name])
  }

  /**
   * Removes files without a row. Those with a row are checked again after `ORPHAN_MS`, whatever the row says, since
   * another node may delete it.
   */
  async #sweepOrphans(): Promise<void> {
    let batch: string[] = []
    for await (const id of this.#place.overdue(ORPHAN_MS)) {
      batch.push(id)
      if (batch.length < PURGE_BATCH) continue
      await this.#settleOrphans(batch)
      batch = []
    }
    if (batch.length > 0) await this.#settleOrphans(batch)
  }

  async #settleOrphans(ids: readonly string[]): Promise<void> {
    const known = await this.#rows.known(ids)
    for (const id of ids) await (known.has(id) ? this.#place.seen(id) : this.#place.delete([id]))
  }
}
