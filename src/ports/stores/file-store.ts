import type { FileId, NumberId, TenantId } from '../../domain/ids.ts'

/** A file of a message; its bytes are elsewhere. */
export interface StoredFile {
  readonly id: FileId
  readonly tenantId: TenantId
  readonly numberId: NumberId
  /** Where its bytes are, as their keeper names the place. */
  readonly path: string
  readonly mimeType: string
  readonly sizeBytes: number
  readonly fileName: string | null
  readonly createdAt: Date
  readonly expiresAt: Date
}

/** Rows of files. The id proves the right to read a file, so reads by it are of no tenant. */
export interface FileStore {
  /** False when the number is gone, or not of the tenant. */
  add(file: StoredFile): Promise<boolean>
  /** Null when unknown, expired, or left by a removed number. */
  find(id: string): Promise<StoredFile | null>
  /** Answers what was there, so that its bytes can be deleted. */
  remove(ids: readonly FileId[]): Promise<StoredFile[]>
  /** Removes rows that expired or whose number is gone, and answers them. */
  takeExpired(limit: number): Promise<StoredFile[]>
}
