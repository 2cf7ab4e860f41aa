import type { CallingPort } from './calling.ts'
import type { OfficialCredentials } from './credentials.ts'
import type { EncryptionPort, FlowsPort } from './flows.ts'
import type { HealthPort } from './health.ts'
import type { MediaPort } from './media.ts'
import type { PermissionsPort } from './permissions.ts'
import type { SubscriptionPort } from './subscription.ts'
import type { TemplatesPort } from './templates.ts'

/**
 * The requests that a number of the official platform takes beside calls and messages in progress, which go through
 * ProviderSession. Each gives an Outcome whose refusal carries `details {upstreamCode, upstreamMessage}`, or the result
 * of a write, and never throws.
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

/** Makes the client of the official platform for a number. It costs nothing until it is asked. */
export type OfficialOf = (credentials: OfficialCredentials) => OfficialNumber
