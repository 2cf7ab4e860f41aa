import type { FileId, NumberId, TenantId } from '../domain/ids.ts'
import type { MediaHeader } from '../domain/template.ts'
import type { SampleFile } from './official/templates.ts'

/** A kept sample of a template. */
export interface KeptSample extends SampleFile {
  readonly fileId: FileId
  /** Its public address here. */
  readonly url: string
}

/** Why a sample could not be had. */
export interface SampleProblem {
  /**
   * FORBIDDEN: the guard does not let its address through, also behind a redirect. UNREACHABLE: no answer, or none that
   * is a file. UNSUPPORTED: of another type.
   */
  readonly problem: 'FORBIDDEN' | 'UNREACHABLE' | 'UNSUPPORTED' | 'TOO_LARGE'
  /** What to do about it, shown to the caller. */
  readonly message: string
  /** Bytes, of TOO_LARGE. */
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
 * Header and card files of templates (contract 10). Untrusted bytes are looked at and converted in child processes with
 * limits. Nothing throws but StoreAway.
 */
export interface TemplateFiles {
  /**
   * Fetches an address through the guard, or takes a data URI (or the stand-in of one that arrived in pieces), tells
   * the type by the bytes, and keeps it: IMAGE is JPEG or PNG up to 5 MB, VIDEO MP4 up to 16 MB, DOCUMENT PDF up to 10
   * MB, CARD JPEG or PNG up to 5 MB, webp converted. For as long as the owner says, unless a template takes it over.
   * `UPSTREAM`: the official platform named the address, whose host may be where the operator said the platform is,
   * private or not.
   */
  keep(owner: SampleOwner, kind: MediaHeader | 'CARD', source: string, from: 'CALLER' | 'UPSTREAM'): Promise<Sampling>
  /** A kept file of the tenant's once more, looked at as one that was fetched; UNREACHABLE when it is gone. */
  copy(owner: SampleOwner, kind: MediaHeader | 'CARD', fileId: FileId): Promise<Sampling>
  /** The file that an address of ours stands for; null for addresses of others. */
  fileOf(url: string): FileId | null
  /** A kept sample of the tenant's; null when it is gone. */
  open(tenantId: TenantId, fileId: FileId): Promise<KeptSample | null>
  /** Lets go of samples that no template took over. */
  release(fileIds: readonly FileId[]): Promise<void>
}
