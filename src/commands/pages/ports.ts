import type { LogoFiles } from '../../ports/logo-files.ts'
import type { BrandingStore } from '../../ports/stores/branding-store.ts'
import type { EmbedSessionStore } from '../../ports/stores/embed-session-store.ts'
import type { PairingStore } from '../../ports/stores/pairing-store.ts'

/** All that the looks of pages stand on: each verb takes it whole. */
export interface PagePorts {
  readonly branding: BrandingStore
  readonly logos: LogoFiles
  /** For the pages of links. */
  readonly pairing: PairingStore
  /** For looks that embeds give pages. */
  readonly embedSessions: EmbedSessionStore
  /** Public base of REST, which serves logos, without a trailing slash. */
  readonly baseUrl: string
}

/** What the look of one page is made of. */
export type BrandPorts = Pick<PagePorts, 'branding' | 'embedSessions' | 'baseUrl'>
