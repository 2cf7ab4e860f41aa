import type { BrandingStore } from '../../ports/stores/branding-store.ts'
import type { EmbedSessionStore } from '../../ports/stores/embed-session-store.ts'
import type { InboxStore } from '../../ports/stores/inbox-store.ts'
import type { NumberStore } from '../../ports/stores/number-store.ts'
import type { PairingStore } from '../../ports/stores/pairing-store.ts'

/** All that sessions of embeds stand on: each verb takes it whole. */
export interface EmbedPorts {
  readonly embedSessions: EmbedSessionStore
  /** EMBED_MAX_AGE_SECONDS, in ms. */
  readonly embedMaxAgeMs: number
  /** For the links that pages in frames show. */
  readonly pairing: PairingStore
  /** For what an embed is told of its session. */
  readonly branding: BrandingStore
  readonly numbers: NumberStore
  readonly inboxReads: InboxStore
}
