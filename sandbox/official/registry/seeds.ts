import { z } from 'zod'
import { TIER } from './tiers.ts'

/** Body of `POST /control/official/accounts`. */
export const accountSeedSchema = z.object({
  accountId: z
    .string()
    .regex(/^\d{1,30}$/)
    .optional(),
  appId: z
    .string()
    .regex(/^\d{1,30}$/)
    .optional(),
  appSecret: z.string().min(1).optional(),
})
/** An app as seeds name it. */
export interface AppSeed {
  readonly appId?: string | undefined
  readonly appSecret?: string | undefined
}

export type AccountSeed = {
  readonly [K in keyof z.infer<typeof accountSeedSchema>]: z.infer<typeof accountSeedSchema>[K] | undefined
}

/** Body of `PATCH /control/official/accounts/{accountId}`. */
export const accountPatchSchema = z.object({
  /** The fields that the account's app is subscribed to; all by default. */
  subscribedFields: z.array(z.string()).optional(),
  /** The app's own callback, set without a challenge; null removes it. */
  callbackUrl: z.url().nullable().optional(),
  /** True subscribes the app to the account, false ends that. */
  isSubscribed: z.boolean().optional(),
  appSecret: z.string().min(1).optional(),
  /** True when templates of the account can have buttons that ask for a payment. */
  hasPaymentButtons: z.boolean().optional(),
  /** `ONBOARDED` lets its marketing messages in; null as in versions of the API that do not know the field. */
  marketingStatus: z.string().min(1).nullable().optional(),
})

/** Body of `PATCH /control/official/numbers/{phoneId}`: what can change while a number exists. */
export const numberPatchSchema = z.object({
  isTokenExpired: z.boolean().optional(),
  /** Replaces the token, so that the old one opens nothing any more. */
  accessToken: z.string().min(1).optional(),
  verifiedName: z.string().optional(),
  messagingLimitTier: z.string().regex(TIER).optional(),
  /** True refuses templates to more people outside their window than the messaging limit names in 24 h. */
  isTierEnforced: z.boolean().optional(),
  qualityRating: z.enum(['GREEN', 'YELLOW', 'RED', 'UNKNOWN', 'NA']).optional(),
  status: z.string().optional(),
  nameStatus: z.string().optional(),
  codeVerificationStatus: z.string().optional(),
  accountMode: z.enum(['LIVE', 'SANDBOX']).optional(),
  throughputLevel: z.string().optional(),
  /** The whole `calling` object, past all rules. */
  calling: z.record(z.string(), z.unknown()).optional(),
  restrictions: z.array(z.unknown()).optional(),
  canBusinessCall: z.boolean().optional(),
  hasMediaWatchdog: z.boolean().optional(),
  windowErrors: z.enum(['answer', 'status']).optional(),
  /** Messages of the number per second, and to one user at once (then one in 6 s); null lifts both limits. */
  throughput: z
    .object({ perSecond: z.int().min(1).optional(), pairBurst: z.int().min(1).optional() })
    .nullable()
    .optional(),
})
export type NumberPatch = z.infer<typeof numberPatchSchema>

/** Body of `POST /control/official/numbers`. */
export const numberSeedSchema = numberPatchSchema.extend({
  number: z.string(),
  phoneId: z
    .string()
    .regex(/^\d{1,30}$/)
    .optional(),
  accountId: z
    .string()
    .regex(/^\d{1,30}$/)
    .optional(),
  appId: z
    .string()
    .regex(/^\d{1,30}$/)
    .optional(),
  appSecret: z.string().min(1).optional(),
})
export type NumberSeed = z.infer<typeof numberSeedSchema>
