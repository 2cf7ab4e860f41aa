import { mkdir, open, opendir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../ports/clock.ts'
import type { FilePlace, FileTimes } from '../../ports/file-place.ts'

/** Files in a directory of this node, or one that nodes share. The modification time of a file is when it expires. */
export class DiskPlace implements FilePlace {
  readonly #directory: string
  readonly #clock: Clock

  constructor(directory: string, clock: Clock) {
    this.#directory = directory
    this.#clock = clock
  }

  async open(): Promise<void> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 })
  }

  async put(name: string, path: string, { createdAt, expiresAt }: FileTimes): Promise<void> {
    const file = await open(path, 'r+')
    try {
      await file.utimes(createdAt, expiresAt)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(path, this.pathOf(name))
    await syncDirectory(this.#directory)
  }

  async find(name: string): Promise<string | null> {
    const path = this.pathOf(name)
    const found = await stat(path).catch(() => null)
    return found?.isFile() ? path : null
  }

  async link(): Promise<null> {
    return null
  }

  async delete(names: readonly string[]): Promise<void> {
    for (const name of names) await rm(this.pathOf(name), { force: true })
  }

  async *overdue(ageMs: number): AsyncGenerator<string> {
    for await (const { name } of await opendir(this.#directory)) {
      const found = await stat(this.pathOf(name)).catch(() => null)
      if (found?.isFile() && this.#clock.now() - found.mtimeMs > ageMs) yield name
    }
  }

  async seen(name: string): Promise<void> {
    const now = new Date(this.#clock.now())
    await utimes(this.pathOf(name), now, now).catch(() => {})
  }

  /** Where a file is or would be. */
  pathOf(name: string): string {
    return join(this.#directory, name)
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
