import type { FileId } from './ids.ts'

/** Reads the id of the service's own file that an address names; null when it names none. */
export function fileIdIn(address: string): FileId | null {
  return (/\bfile_[0-9a-z]{26}\b/.exec(address)?.[0] ?? null) as FileId | null
}
