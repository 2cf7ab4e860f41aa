import type { FileId, NumberId, TenantId } from '../../domain/ids.ts'

/** A file of a message; its bytes are elsewhere. */
export interface StoredFile {
  readonly id: FileId
  readonly tenantId: TenantId
  /** Null once a template had it: then it outlives the number that brought it. */
  readonly numberId: NumberId | null
  /** Where its bytes are, as their keeper names the place. */
  readonly path: string
  readonly mimeType: string
  readonly sizeBytes: number
  readonly fileName: string | null
  readonly createdAt: Date
  /** Centuries from now while a template has it. */
  readonly expiresAt: Date
}

/** A file about to be kept, for the number that brought it. */
export type AddedFile = StoredFile & { readonly numberId: NumberId }

/**
 * Rows of files. The id proves the right to read a file, so reads by it are of no tenant. A template that names a file
 * takes it over (TemplateStore), and lets go of it when it goes or names it no more: the file then expires 8 days after
 * the next `takeExpired`, as messages may be waiting that are made of it.
 */
export interface FileStore {
  /** False when the number is gone, or not of the tenant. */
  add(file: AddedFile): Promise<boolean>
  /** Null when unknown, expired, or left by a removed number. */
  find(id: string): Promise<StoredFile | null>
  /** Which of them have a row, expired or not. */
  known(ids: readonly string[]): Promise<ReadonlySet<string>>
  /**
   * Answers what was there, so that its bytes can be deleted. Leaves those that a template has or had: messages may be
   * made of them.
   */
  remove(ids: readonly FileId[]): Promise<StoredFile[]>
  /** Removes rows that expired or whose number is gone, and answers them. */
  takeExpired(limit: number): Promise<StoredFile[]>
}
