import type { BrandingStore } from '../../ports/stores/branding-store.ts'
import type { EmbedSessionStore } from '../../ports/stores/embed-session-store.ts'
import type { InboxStore } from '../../ports/stores/inbox-store.ts'
import type { NumberStore } from '../../ports/stores/number-store.ts'
import type { PairingStore } from '../../ports/stores/pairing-store.ts'

/** The ports of embed sessions; each command takes all of them. */
export interface EmbedPorts {
  readonly embedSessions: EmbedSessionStore
  /** The setting EMBED_MAX_AGE_SECONDS, in ms. */
  readonly embedMaxAgeMs: number
  /** Finds the links that pages in frames show. */
  readonly pairing: PairingStore
  /** Read for what an embed is told of its session. */
  readonly branding: BrandingStore
  readonly numbers: NumberStore
  readonly inboxReads: InboxStore
}
