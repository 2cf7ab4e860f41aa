import type { Outcome } from '../domain/errors.ts'
import type { NumberId, TenantId } from '../domain/ids.ts'
import type { NumberRef } from '../domain/number.ts'
import type { OfficialChange, OfficialCredentials, OfficialPlatform } from '../ports/official-platform.ts'
import type { InboundStore } from '../ports/stores/inbound-store.ts'
import type { OfficialStore } from '../ports/stores/official-store.ts'
import { RefusalError, refuse } from '../domain/errors.ts'

/** What the REST layer needs for OFFICIAL numbers. */
export interface OfficialParts {
  readonly platform: OfficialPlatform
  readonly store: OfficialStore
  readonly inbound: InboundStore
  /** Checks a webhook's signature over its raw bytes. */
  readonly isSigned: (appSecret: string, rawBody: Uint8Array, header: string | undefined) => boolean
  /** Cuts a webhook into its changes; never throws. */
  readonly split: (rawBody: Uint8Array) => { readonly ok: true, readonly changes: readonly OfficialChange[] } | { readonly ok: false }
  readonly upkeep: OfficialUpkeep
}

/** What keeps OFFICIAL numbers in shape behind the requests. */
export interface OfficialUpkeep {
  /** Enables calling of a number now, and plans the next try where that did not work. Never throws for what upstream does. */
  enable(tenantId: TenantId, numberId: NumberId, credentials: OfficialCredentials): Promise<void>
  /** The messaging limit of the account may have risen: what waits for it is tried at once. */
  hasten(tenantId: TenantId, accountId: string): void
  /** The number that took the account's webhooks is gone: another one of the tenant takes them. */
  handOver(tenantId: TenantId, accountId: string): Promise<void>
  /** Resolves once all that upstream's answers said of numbers so far is stored. */
  marksStored(): Promise<void>
}

/** The value of an outcome. A refusal is thrown once what it says of the number itself is stored, for the next read to show. */
export async function unwrapOfficial<T>(official: OfficialParts, outcome: Outcome<T>): Promise<T> {
  if (outcome.ok) return outcome.value
  await official.upkeep.marksStored()
  throw new RefusalError(outcome.error)
}

/** The credentials of the key's number; it is gone when there are none. */
export async function credentialsOf(official: OfficialParts, number: NumberRef): Promise<OfficialCredentials> {
  const credentials = await official.store.credentials(number.tenantId, number.id)
  if (credentials) return credentials
  throw new RefusalError(refuse('NUMBER_NOT_FOUND', 'The number was removed meanwhile'))
}
