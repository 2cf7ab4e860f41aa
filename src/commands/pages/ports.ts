import type { LogoFiles } from '../../ports/logo-files.ts'
import type { BrandingStore } from '../../ports/stores/branding-store.ts'
import type { EmbedSessionStore } from '../../ports/stores/embed-session-store.ts'
import type { PairingStore } from '../../ports/stores/pairing-store.ts'

/** The ports of how pages look; each command takes all of them. */
export interface PagePorts {
  readonly branding: BrandingStore
  readonly logos: LogoFiles
  /** Finds the links that pages show. */
  readonly pairing: PairingStore
  /** Read for the look that embed sessions give to pages. */
  readonly embedSessions: EmbedSessionStore
  /** Public base address of the REST API, which serves logos, without a trailing slash. */
  readonly baseUrl: string
}

/** The ports that the look of one page needs. */
export type BrandPorts = Pick<PagePorts, 'branding' | 'embedSessions' | 'baseUrl'>
