import type { FileId, NumberId, TenantId } from '../../domain/ids.ts'

/** The row of a message's file; its bytes are stored elsewhere. */
export interface StoredFile {
  readonly id: FileId
  readonly tenantId: TenantId
  /** Null once a template took the file over: then it outlives the number that brought it. */
  readonly numberId: NumberId | null
  /** The place of its bytes, as their keeper names it. */
  readonly path: string
  readonly mimeType: string
  readonly sizeBytes: number
  readonly fileName: string | null
  readonly createdAt: Date
  /** Centuries away while a template has the file. */
  readonly expiresAt: Date
}

/** A file about to be kept, for the number that brought it. */
export type AddedFile = StoredFile & { readonly numberId: NumberId }

/**
 * Rows of files. The id proves the right to read a file, so reads by id name no tenant. A template that names a file
 * takes it over (TemplateStore), and releases it when the template goes or no longer names it. The file then expires 8
 * days after the next `takeExpired`, since messages made of it may be waiting.
 */
export interface FileStore {
  /** Adds a row; false when the number is gone, or not of the tenant. */
  add(file: AddedFile): Promise<boolean>
  /** Finds a file; null when unknown, expired, or left by a removed number. */
  find(id: string): Promise<StoredFile | null>
  /** Tells which of the ids have a row, expired or not. */
  known(ids: readonly string[]): Promise<ReadonlySet<string>>
  /**
   * Removes rows, and gives them so that their bytes can be deleted. Rows that a template has or had stay: messages may
   * be made of them.
   */
  remove(ids: readonly FileId[]): Promise<StoredFile[]>
  /** Removes rows that expired or whose number is gone, and gives them. */
  takeExpired(limit: number): Promise<StoredFile[]>
}
