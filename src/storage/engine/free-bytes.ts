import { statfs } from 'node:fs/promises'

/**
 * Free bytes in the file system of a directory. The call runs off the event loop, so that a disk that hangs holds
 * nothing else up.
 */
export async function freeBytesOf(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory)
  return bavail * bsize
}
