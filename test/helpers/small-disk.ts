import { execFile } from 'node:child_process'
import { open, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { isDiskFull } from '../../src/domain/store-away.ts'
import { temporaryDirectory } from './temporary-directory.ts'

const run = promisify(execFile)
const BLOCK_BYTES = 1_000_000

/** A file system of its own, in memory. */
export interface SmallDisk {
  readonly path: string
  /** Leaves no more than so many bytes free. */
  fill(freeBytes: number): Promise<void>
  /** Gives back what `fill` took. */
  empty(): Promise<void>
  remove(): Promise<void>
}

/** Mounts a disk of so many MB; null where that is not allowed. */
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
        // Others write meanwhile.
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
