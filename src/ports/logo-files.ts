import type { Outcome } from '../domain/errors.ts'
import type { TenantId } from '../domain/ids.ts'

/** A picture that was sent, closed and complete. */
export interface SentLogo {
  /** A temporary file of this node, left where it is. */
  readonly path: string
  /** As it was named by whoever sent it. */
  readonly name: string
}

/** A logo as it is kept: made anew from what was sent. */
export interface KeptLogo {
  /** 26 random characters and the extension of its type. */
  readonly key: string
  readonly mimeType: string
  /** Without path and control characters. */
  readonly fileName: string
  readonly sizeBytes: number
}

/** Pictures of logos on this node's disk. */
export interface LogoFiles {
  /**
   * Tells what was sent by its content, decodes it apart from the gateway and keeps it encoded anew (contract 16,
   * Logo). Refusals: UNSUPPORTED_MEDIA_TYPE, IMAGE_INVALID, BUSY.
   */
  keep(tenantId: TenantId, sent: SentLogo): Promise<Outcome<KeptLogo>>
  /** Where a logo stands, whether it is there or not. The key must be one: see `isLogoKey`. */
  pathOf(key: string): string
  /** Idempotent. */
  remove(key: string): Promise<void>
}
