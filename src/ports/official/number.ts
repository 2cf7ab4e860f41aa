import type { CallingPort } from './calling.ts'
import type { OfficialCredentials } from './credentials.ts'
import type { EncryptionPort, FlowsPort } from './flows.ts'
import type { HealthPort } from './health.ts'
import type { MediaPort } from './media.ts'
import type { PermissionsPort } from './permissions.ts'
import type { SubscriptionPort } from './subscription.ts'
import type { TemplatesPort } from './templates.ts'

/**
 * What a number of the official platform can be asked beyond calls and messages in progress (those go through
 * ProviderSession). Every request answers an Outcome whose refusal carries `details {upstreamCode, upstreamMessage}`,
 * or what came of a write, and never throws.
 */
export interface OfficialNumber {
  readonly health: HealthPort
  readonly subscription: SubscriptionPort
  readonly calling: CallingPort
  readonly permissions: PermissionsPort
  readonly media: MediaPort
  readonly templates: TemplatesPort
  readonly flows: FlowsPort
  readonly encryption: EncryptionPort
}

/** The client of the official platform, bound to a number. Costs nothing: it asks upstream only when asked. */
export type OfficialOf = (credentials: OfficialCredentials) => OfficialNumber
