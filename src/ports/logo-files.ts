import type { Outcome } from '../domain/errors.ts'
import type { TenantId } from '../domain/ids.ts'

/** An uploaded picture, closed and complete. */
export interface SentLogo {
  /** A temporary file of this node, which is left where it is. */
  readonly path: string
  /** The name that the sender gave it. */
  readonly name: string
}

/** A logo as it is kept: encoded anew from what was sent. */
export interface KeptLogo {
  /** 26 random characters and the extension of its type. */
  readonly key: string
  readonly mimeType: string
  /** The name without path and control characters. */
  readonly fileName: string
  readonly sizeBytes: number
}

/** Pictures of logos. */
export interface LogoFiles {
  /**
   * Tells the type of the picture by its content, decodes it outside of the gateway and keeps it encoded anew
   * ([branding.logo.2] to [branding.logo.4]). Refusals: UNSUPPORTED_MEDIA_TYPE, IMAGE_INVALID, BUSY.
   */
  keep(tenantId: TenantId, sent: SentLogo): Promise<Outcome<KeptLogo>>
  /** Gives a path of this node with a logo; null when it is gone. `isLogoKey` tells what is a key. Throws StoreAway. */
  find(key: string): Promise<string | null>
  /** Removes a logo's file. Idempotent. */
  remove(key: string): Promise<void>
}
