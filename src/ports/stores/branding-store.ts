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
  /** The tenant's own, unset fields null; the defaults where nothing was ever set. */
  read(tenantId: TenantId): Promise<Branding>
  /** Sets the fields that are present, null clearing one; answers what is set now. Changes that meet lose none. */
  change(tenantId: TenantId, fields: Partial<Branding>): Promise<Branding>
  addLogo(logo: StoredLogo): Promise<void>
  /** Null when unknown. */
  findLogo(key: string): Promise<StoredLogo | null>
  /**
   * Notes which logos are referred to now, and takes the rows of those that nothing referred to for 30 days (contract
   * 16).
   */
  takeUnreferencedLogos(limit: number): Promise<readonly StoredLogo[]>
}
