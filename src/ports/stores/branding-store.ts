import type { Branding } from '../../domain/branding.ts'
import type { TenantId } from '../../domain/ids.ts'

/** An uploaded logo; its bytes are a file beside the database. */
export interface StoredLogo {
  /** 26 random characters and the extension of its type. */
  readonly key: string
  readonly tenantId: TenantId
  readonly mimeType: string
  readonly fileName: string
  readonly sizeBytes: number
}

export interface BrandingStore {
  /** Reads the tenant's own look, with unset fields null; the defaults when nothing was ever set. */
  read(tenantId: TenantId): Promise<Branding>
  /**
   * Sets the fields that are present, and clears those that are null; gives what is set now. Concurrent changes lose
   * none.
   */
  change(tenantId: TenantId, fields: Partial<Branding>): Promise<Branding>
  addLogo(logo: StoredLogo): Promise<void>
  /** Null when unknown. */
  findLogo(key: string): Promise<StoredLogo | null>
  /**
   * Notes which logos are referred to now, and takes the rows of those that nothing has referred to for 30 days
   * ([branding.logo.7]).
   */
  takeUnreferencedLogos(limit: number): Promise<readonly StoredLogo[]>
}
