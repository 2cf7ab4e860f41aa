import { randomUUID } from 'node:crypto'
import { mkdir, open, opendir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { newSecretId } from '../domain/ids.ts'
import type { FileId, NumberId, TenantId } from '../domain/ids.ts'
import type { Clock } from '../ports/clock.ts'
import type { FileStore, StoredFile } from '../ports/stores/file-store.ts'

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
 * Files of messages and of templates on this node's disk, with their rows. A file is named by its id; its modification
 * time is when it expires. Its row may differ: a template keeps the file for longer.
 */
export class Shelf {
  readonly #directory: string
  readonly #rows: FileStore
  readonly #clock: Clock
  #opened: Promise<void> | null = null

  constructor(directory: string, rows: FileStore, clock: Clock) {
    this.#directory = directory
    this.#rows = rows
    this.#clock = clock
  }

  /**
   * Makes the directories and removes files that killed processes left half written. Runs once; later calls wait for
   * the first.
   */
  open(): Promise<void> {
    return (this.#opened ??= this.#make().catch((error: unknown) => {
      // The next call tries again.
      this.#opened = null
      throw error
    }))
  }

  /** Makes a path for a file on its way; the caller removes the file. */
  async tempPath(): Promise<string> {
    await this.open()
    return join(this.#directory, 'temp', randomUUID())
  }

  /**
   * Moves a file to its place, durably: what was answered survives a kill and a loss of power. Null when the number is
   * gone.
   */
  async keep(file: NewFile): Promise<StoredFile | null> {
    const id = newSecretId('file')
    const createdAt = new Date(this.#clock.now())
    const expiresAt = new Date(createdAt.getTime() + file.keepMs)
    const { tempPath, keepMs: _, ...facts } = file
    const handle = await open(tempPath, 'r+')
    try {
      await handle.utimes(createdAt, expiresAt)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(tempPath, this.#pathOf(id))
    await syncDirectory(join(this.#directory, 'files'))
    const row = { id, ...facts, path: id, createdAt, expiresAt }
    if (await this.#rows.add(row)) return row
    await rm(this.#pathOf(id), { force: true })
    return null
  }

  /** Finds a kept file that has not expired and whose bytes are on this node; null otherwise. */
  async find(id: string): Promise<{ readonly row: StoredFile; readonly path: string } | null> {
    if (!FILE_ID.test(id)) return null
    const row = await this.#rows.find(id)
    const path = this.#pathOf(id)
    const found = row && (await stat(path).catch(() => null))
    return row && found?.isFile() ? { row, path } : null
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
    await this.#sweep('temp', ABANDONED_MS)
    await this.#sweepOrphans()
    return count
  }

  async #make(): Promise<void> {
    for (const name of ['temp', 'files']) await mkdir(join(this.#directory, name), { recursive: true, mode: 0o700 })
    await this.#sweep('temp', ABANDONED_MS)
  }

  async #delete(rows: readonly StoredFile[]): Promise<void> {
    for (const { id } of rows) await rm(this.#pathOf(id), { force: true })
  }

  /** Removes files of a directory that expired more than `ageMs` ago. */
  async #sweep(name: string, ageMs: number): Promise<void> {
    for await (const entry of this.#overdue(name, ageMs)) await rm(this.#pathIn(name, entry), { force: true })
  }

  /**
   * Removes files without a row. Those with a row are checked again after `ORPHAN_MS`, whatever the row says, since
   * another node may delete it.
   */
  async #sweepOrphans(): Promise<void> {
    let batch: string[] = []
    for await (const id of this.#overdue('files', ORPHAN_MS)) {
      batch.push(id)
      if (batch.length < PURGE_BATCH) continue
      await this.#settleOrphans(batch)
      batch = []
    }
    if (batch.length > 0) await this.#settleOrphans(batch)
  }

  async #settleOrphans(ids: readonly string[]): Promise<void> {
    const known = await this.#rows.known(ids)
    const now = new Date(this.#clock.now())
    for (const id of ids) {
      const path = this.#pathIn('files', id)
      if (known.has(id)) await utimes(path, now, now).catch(() => {})
      else await rm(path, { force: true })
    }
  }

  /** Names the files of a directory that expired more than `ageMs` ago. */
  async *#overdue(name: string, ageMs: number): AsyncGenerator<string> {
    for await (const entry of await opendir(join(this.#directory, name))) {
      const found = await stat(this.#pathIn(name, entry.name)).catch(() => null)
      if (found && this.#clock.now() - found.mtimeMs > ageMs) yield entry.name
    }
  }

  #pathIn(directory: string, name: string): string {
    return join(this.#directory, directory, name)
  }

  #pathOf(id: string): string {
    return this.#pathIn('files', id)
  }
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}
