import { execFile } from 'node:child_process'
import { open, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { isDiskFull } from '../../src/domain/store-away.ts'
import { temporaryDirectory } from './temporary-directory.ts'

const run = promisify(execFile)
const BLOCK_BYTES = 1_000_000

/** A small file system in memory. */
export interface SmallDisk {
  readonly path: string
  /** Fills the disk until at most this many bytes are free. */
  fill(freeBytes: number): Promise<void>
  /** Removes what `fill` wrote. */
  empty(): Promise<void>
  remove(): Promise<void>
}

/** Mounts a disk of this many MB; null when mounting is not permitted. */
export async function mountSmallDisk(megabytes: number): Promise<SmallDisk | null> {
  const directory = await temporaryDirectory()
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', directory.path])
  } catch {
    await directory.remove()
    return null
  }
  const filler = join(directory.path, 'filler')
  return {
    path: directory.path,
    async fill(freeBytes) {
      const { bavail, bsize } = await statfs(directory.path)
      const file = await open(filler, 'a')
      try {
        for (let left = bavail * bsize - freeBytes; left > 0; left -= BLOCK_BYTES)
          await file.write(Buffer.alloc(Math.min(BLOCK_BYTES, left)))
      } catch (error) {
        // Other programs write at the same time.
        if (!isDiskFull(error)) throw error
      } finally {
        await file.close()
      }
    },
    empty: () => rm(filler, { force: true }),
    async remove() {
      await run('umount', ['--lazy', directory.path])
      await directory.remove()
    },
  }
}
