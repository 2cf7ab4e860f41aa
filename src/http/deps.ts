import type { Directory } from '../../actors/directory.ts'
import type { Broadcast } from '../ports/broadcast.ts'
import type { ProviderRegistry } from '../ports/provider.ts'
import type { RateLimiter } from '../ports/rate-limiter.ts'
import type { UrlCheck } from '../ports/url-check.ts'
import type { CallStore } from '../ports/stores/call-store.ts'
import type { EventStore } from '../ports/stores/event-store.ts'
import type { IdempotencyStore } from '../ports/stores/idempotency-store.ts'
import type { KeyStore } from '../ports/stores/key-store.ts'
import type { NumberStore } from '../ports/stores/number-store.ts'
import type { PairingStore } from '../ports/stores/pairing-store.ts'
import type { Deliveries, WebhookStore } from '../ports/stores/webhook-store.ts'
import type { MessageParts } from './message-parts.ts'
import type { OfficialParts } from './official-parts.ts'
import type { ProcessDeps } from './process-deps.ts'

/** One named check of readiness, `ok` or what is wrong. */
export interface Readiness {
  readonly ok: boolean
  readonly checks: Readonly<Record<string, string>>
}

/** Everything the REST layer needs, as values and ports. */
export interface HttpDeps extends ProcessDeps, MessageParts {
  readonly numbers: NumberStore
  readonly keys: KeyStore
  readonly calls: CallStore
  readonly pairings: PairingStore
  readonly idempotency: IdempotencyStore
  readonly events: EventStore
  readonly webhooks: WebhookStore
  readonly deliveries: Deliveries
  /** Decides whether a webhook may point to an address, when it is stored (contract 5). */
  readonly checkUrl: UrlCheck
  readonly official: OfficialParts
  readonly directory: Directory
  readonly providers: ProviderRegistry
  readonly limiter: RateLimiter
  readonly broadcast: Broadcast
  /** Public base of REST and pages, without a trailing slash. */
  readonly baseUrl: string
  /** Host of the connect page, without a trailing slash. */
  readonly connectEmbedUrl: string
  /** False refuses `x-api-key-id` (contract 2, API_KEY_ID_AUTH=off). */
  readonly apiKeyIdAuth: boolean
  /**
   * How long a proven caller is remembered, in ms. Rotations drop it at once on every node that
   * hears the broadcast; keep it at 2 s or less so that a node that does not hear follows soon. 0 turns it off.
   */
  readonly callerCacheMs: number
  /** True reads the client address from `x-forwarded-for`; only behind a proxy that sets it. */
  readonly isProxyTrusted: boolean
  readonly readiness: () => Promise<Readiness>
  /** Null when /metrics is served on another port (contract 1, METRICS_PORT). */
  readonly metricsText: (() => Promise<string>) | null
}
