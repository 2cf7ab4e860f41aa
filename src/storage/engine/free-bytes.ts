import { statfs } from 'node:fs/promises'

/**
 * Bytes that are free to us in the file system of a directory. Asked off the event loop: a disk that hangs holds
 * nothing else up.
 */
export async function freeBytesOf(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory)
  return bavail * bsize
}
