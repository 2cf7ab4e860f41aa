import type { FileId } from './ids.ts'

/** The file of ours that an address names; null: of none. */
export function fileIdIn(address: string): FileId | null {
  return (/\bfile_[0-9a-z]{26}\b/.exec(address)?.[0] ?? null) as FileId | null
}
