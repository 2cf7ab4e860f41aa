import type { FileId, NumberId, TenantId } from '../domain/ids.ts'
import type { MediaHeader } from '../domain/template.ts'
import type { SampleFile } from './official/templates.ts'

/** A kept sample of a template. */
export interface KeptSample extends SampleFile {
  readonly fileId: FileId
  /** The address under which the service publishes it. */
  readonly url: string
}

/** Why there is no sample. */
export interface SampleProblem {
  /**
   * FORBIDDEN: the guard refuses its address, or one that it redirects to. UNREACHABLE: no answer, or none that is a
   * file. UNSUPPORTED: a file of another type.
   */
  readonly problem: 'FORBIDDEN' | 'UNREACHABLE' | 'UNSUPPORTED' | 'TOO_LARGE'
  /** What to do about it, in a text that is shown to the caller. */
  readonly message: string
  /** The file's size in bytes, with TOO_LARGE. */
  readonly measured?: number
  readonly max?: number
}

export type Sampling =
  | { readonly ok: true; readonly sample: KeptSample }
  | { readonly ok: false; readonly problem: SampleProblem }

/** Who keeps a sample until a template takes it over. */
export interface SampleOwner {
  readonly tenantId: TenantId
  readonly numberId: NumberId
  /** How long, in ms; a day when absent. */
  readonly keepMs?: number
}

/**
 * Header and card files of templates ([templates.files.2]). Untrusted bytes are read and converted only in child
 * processes with limits. Nothing but StoreAway is thrown.
 */
export interface TemplateFiles {
  /**
   * Fetches an address through the guard, or takes a data URI (or the stand-in of one that arrived in pieces), tells
   * the type by the bytes, and keeps it: IMAGE is JPEG or PNG up to 5 MB, VIDEO MP4 up to 16 MB, DOCUMENT PDF up to 10
   * MB ([templates.files.4]), CARD JPEG or PNG up to 5 MB, webp converted ([templates.files.5]). It is kept for as long
   * as the owner says, unless a template takes it over. With `UPSTREAM` the official platform named the address, whose
   * host may be the one that the operator set for the platform, private or not.
   */
  keep(owner: SampleOwner, kind: MediaHeader | 'CARD', source: string, from: 'CALLER' | 'UPSTREAM'): Promise<Sampling>
  /** Copies a kept file of the tenant's, with the checks of a fetched one; UNREACHABLE when it is gone. */
  copy(owner: SampleOwner, kind: MediaHeader | 'CARD', fileId: FileId): Promise<Sampling>
  /** Finds the file that an address of the service names; null for addresses of others. */
  fileOf(url: string): FileId | null
  /** Opens a kept sample of the tenant's; null when it is gone. */
  open(tenantId: TenantId, fileId: FileId): Promise<KeptSample | null>
  /** Releases samples that no template took over. */
  release(fileIds: readonly FileId[]): Promise<void>
}
