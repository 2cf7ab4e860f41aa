import type { Outcome } from '../../domain/errors.ts'
import type { NumberId, TenantId } from '../../domain/ids.ts'
import type { ChannelNumber } from '../../domain/number.ts'
import type { CallingStatus } from '../../domain/official.ts'
import type { OfficialCredentials } from '../official/credentials.ts'
import type { SessionHealth } from '../../domain/engine.ts'
import type { OfficialHealth, PhoneLimits } from '../official/health.ts'
import type { IssuedKey } from './key-store.ts'
import type { NewNumber } from './number-store.ts'

export interface NewOfficialNumber extends Omit<NewNumber, 'provider'> {
  /** Sealed at rest. */
  readonly credentials: OfficialCredentials
  /** The token that upstream shows when it verifies the callback. */
  readonly verifyToken: string
  readonly health: OfficialHealth
}

/** What became known of a number; absent fields stay. */
export interface OfficialPatch {
  readonly health?: OfficialHealth
  readonly isTokenValid?: boolean
  /** What refusals of upstream say of the account; null when nothing is known any more. */
  readonly sessionHealth?: SessionHealth | null
  readonly callingStatus?: CallingStatus
  /** When enabling is tried next, and how many tries in a row there were; null when it is not tried by itself. */
  readonly callingRetry?: { readonly tries: number; readonly inMs: number } | null
}

/** A number whose calling is to be tried again. */
export interface DueCalling {
  readonly tenantId: TenantId
  readonly numberId: NumberId
  readonly callingStatus: CallingStatus
  readonly tries: number
  readonly credentials: OfficialCredentials
  readonly verifyToken: string
}

/**
 * The credentials that may be replaced. The phone is the number itself, and its webhooks are told by its account, so
 * both stay.
 */
export type CredentialsChange = Partial<Pick<OfficialCredentials, 'accessToken' | 'appId' | 'appSecret'>>

/** The facts that only OFFICIAL numbers have. */
export interface OfficialStore {
  /**
   * Creates the number with its default key and `number.created`. Refusals: NUMBER_ALREADY_EXISTS (the digits in the
   * tenant, or the phone id anywhere), NUMBER_LIMIT_EXCEEDED.
   */
  create(number: NewOfficialNumber): Promise<Outcome<{ number: ChannelNumber; key: IssuedKey }>>
  /**
   * Notes that the number can be used: OPEN with `number.connected`, unless it is OPEN already. Null when it is gone.
   */
  opened(tenantId: TenantId, numberId: NumberId): Promise<ChannelNumber | null>
  credentials(tenantId: TenantId, numberId: NumberId): Promise<OfficialCredentials | null>
  /**
   * Replaces the given credentials, with the health that proved them: the token is valid. Concurrent changes take
   * turns. Null when the number is gone.
   */
  replaceCredentials(
    tenantId: TenantId,
    numberId: NumberId,
    change: CredentialsChange,
    health: OfficialHealth,
  ): Promise<ChannelNumber | null>
  /** Stores a patch; null when the tenant has no such number. */
  save(tenantId: TenantId, numberId: NumberId, patch: OfficialPatch): Promise<ChannelNumber | null>
  /**
   * Stores the limits of the tenant's numbers of an account. Gives those whose limits changed and that a node holds,
   * which are to be told.
   */
  saveLimits(tenantId: TenantId, accountId: string, limits: readonly PhoneLimits[]): Promise<NumberId[]>
  findByPhone(phoneId: string): Promise<ChannelNumber | null>
  /** Takes numbers whose next try is due, for this node alone: for others the try is put off by `leaseMs`. */
  takeDueCalling(limit: number, leaseMs: number): Promise<DueCalling[]>
  /** Makes later tries of the account's numbers due now. Gives their number. */
  hastenCalling(tenantId: TenantId, accountId: string): Promise<number>
}
