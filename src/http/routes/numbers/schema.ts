import { z } from 'zod'
import { ENGINE_CAPABILITIES, SESSION_HEALTH_LEVELS } from '../../../domain/engine.ts'
import { CALLING_STATUSES, MARKETING_WAYS } from '../../../domain/official.ts'
import { UNREACHABLE_BOTS, VOICE_ANSWERS } from '../../../domain/number-voice.ts'
import { NUMBER_STATES, PII_MODES, PROVIDER_KINDS } from '../../../domain/number.ts'
import { DIALECTS, ON_DISCONNECT } from '../../../domain/realtime-session.ts'
import { dialFields } from '../dial-schema.ts'
import { isWithinReach, OUT_OF_REACH, pageFields } from '../paging.ts'
import { phone, timestamp } from '../phone-schema.ts'

const providerFlag = z.boolean().nullable().optional()

/** The settings a client may send, all optional; null resets a provider setting ([numbers.settings.7]). */
export const settingsInput = z
  .object({
    historyImportEnabled: z.boolean().optional(),
    ignoreNewsletters: z.boolean().optional(),
    webhookHistoricalMessages: z.boolean().optional(),
    rejectCall: providerFlag,
    // our choice: the longest text message ([messages.modes.1]).
    msgRejectCall: z.string().max(4096).nullable().optional(),
    alwaysOnline: providerFlag,
    readMessages: providerFlag,
    ignoreGroups: providerFlag,
    ignoreStatus: providerFlag,
  })
  .meta({
    id: 'SettingsInput',
    description: 'Keys that are absent stay as they are; null resets a provider setting to its default.',
  })

const piiMode = z.enum(PII_MODES).meta({ description: 'Retention of personal data' })
/** our choice: up to ten years. */
const piiRetentionDays = z.int().min(1).max(3650)

/** our choice: names are shown in lists and on the connect page. */
export const name = z.string().trim().min(1).max(120)

const needsDays = { path: ['piiRetentionDays'], message: 'is needed with STORE_X_DAYS' }

export const createInput = z
  .object({
    name,
    number: phone(10),
    settings: settingsInput.optional(),
    piiMode: piiMode.optional(),
    piiRetentionDays: piiRetentionDays.nullable().optional(),
  })
  .refine((input) => input.piiMode !== 'STORE_X_DAYS' || typeof input.piiRetentionDays === 'number', needsDays)
  .meta({ id: 'NumberCreate' })

/** Ids of upstream are digits today. our choice: any word is taken, because upstream says what exists. */
const upstreamId = z
  .string()
  .trim()
  .regex(/^[\w.-]{1,64}$/, 'must be an id of the official platform')
/**
 * our choice of lengths: several times what upstream issues. They become values of headers, so only printable ASCII is
 * taken.
 */
export const upstreamSecret = (maxLength: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(maxLength)
    .regex(/^[\x21-\x7e]+$/, 'must be printable characters without spaces')

export const officialInput = z
  .object({
    name,
    number: phone(10),
    officialPhoneId: upstreamId,
    officialAccountId: upstreamId,
    officialAccessToken: upstreamSecret(4096),
    officialAppId: upstreamId.nullable().optional(),
    officialAppSecret: upstreamSecret(256)
      .nullable()
      .optional()
      .meta({ description: 'Verifies webhooks; without it none is taken' }),
    settings: settingsInput.optional(),
    piiMode: piiMode.optional(),
    piiRetentionDays: piiRetentionDays.nullable().optional(),
  })
  .refine((input) => input.piiMode !== 'STORE_X_DAYS' || typeof input.piiRetentionDays === 'number', needsDays)
  .meta({ id: 'OfficialNumberCreate' })

/** The bot server of inbound calls, replaced as a whole ([voice.number-setting.1]). */
export const voiceInput = z
  .object({
    connectTo: dialFields.connectTo,
    headers: dialFields.headers.optional(),
    dialect: dialFields.dialect.optional(),
    rate: dialFields.rate.optional(),
    parameters: dialFields.parameters.optional(),
    answer: z.enum(VOICE_ANSWERS).meta({
      description: '`accept`: the call is answered once your server is connected. `ring`: your server answers it',
    }),
    onUnreachable: z
      .enum(UNREACHABLE_BOTS)
      .meta({ description: 'What becomes of a call that rings while your server cannot be had' }),
    onDisconnect: dialFields.onDisconnect.optional().meta({
      description: '`hangup` when absent. What becomes of an answered call that your server leaves, or is lost to',
    }),
    record: z.boolean().optional().meta({ description: 'Has the calls recorded from their answer on' }),
  })
  .nullable()
  .meta({ id: 'NumberVoiceInput', description: 'Replaces the whole setting; null removes it' })

/**
 * A code is made only when it is asked for, because on some device networks the phone then alerts its owner
 * ([numbers.routes.5]).
 */
export const pairingQuery = z.object({
  pairingCode: z.string().optional().meta({
    description:
      '1 asks for a code to type on the phone, beside the one to scan; on some device networks the phone then shows its owner where',
  }),
})

/** The list has all numbers when both fields are absent. */
export const listQuery = z.object(pageFields).refine(isWithinReach, OUT_OF_REACH)

export const numberQuery = z.object({
  refresh: z.string().optional().meta({ description: '1 reads upstream now (OFFICIAL numbers)' }),
})

export const patchInput = z
  .object({
    name: name.optional(),
    settings: settingsInput.optional(),
    piiMode: piiMode.optional(),
    piiRetentionDays: piiRetentionDays.nullable().optional(),
    voice: voiceInput.optional(),
    marketing: z.enum(MARKETING_WAYS).optional().meta({
      description:
        'OFFICIAL numbers. `auto`: MARKETING templates go to the endpoint that upstream has for them, where it lets the account in. `messages`: they go as all other messages',
    }),
    officialAccessToken: upstreamSecret(4096)
      .optional()
      .meta({ description: 'OFFICIAL numbers. Checked upstream before it is stored; never shown' }),
    officialAppId: upstreamId.optional().meta({ description: 'OFFICIAL numbers' }),
    officialAppSecret: upstreamSecret(256)
      .optional()
      .meta({ description: 'OFFICIAL numbers. Verifies webhooks from now on; never shown' }),
  })
  .meta({ id: 'NumberPatch' })

export const numberParams = z.object({
  id: z.string().meta({ description: 'Id of a number of the tenant', example: 'num_01kb0000000000000000000000' }),
})

export const settings = z
  .object({
    historyImportEnabled: z.boolean(),
    ignoreNewsletters: z.boolean(),
    webhookHistoricalMessages: z.boolean(),
    rejectCall: z.boolean().nullable(),
    msgRejectCall: z.string().nullable(),
    alwaysOnline: z.boolean().nullable(),
    readMessages: z.boolean().nullable(),
    ignoreGroups: z.boolean().nullable(),
    ignoreStatus: z.boolean().nullable(),
  })
  .meta({ id: 'Settings' })

const engine = z
  .object({
    name: z.string().nullable(),
    version: z.string().nullable(),
    capabilities: z.array(z.enum(ENGINE_CAPABILITIES)).nullable().meta({ description: 'Null: it names none' }),
  })
  .meta({ id: 'Engine' })

const voice = z
  .object({
    connectTo: z.string(),
    headerNames: z.array(z.string()).meta({ description: 'Their values are never shown' }),
    dialect: z.enum(DIALECTS),
    rate: z.int().nullable().meta({ description: 'Hz; null: the default' }),
    parameters: z.record(z.string(), z.string()),
    answer: z.enum(VOICE_ANSWERS),
    onUnreachable: z.enum(UNREACHABLE_BOTS),
    onDisconnect: z.enum(ON_DISCONNECT),
    record: z.boolean(),
  })
  .meta({ id: 'NumberVoice' })

const numberFields = {
  id: z.string(),
  name: z.string(),
  number: z.string().meta({ description: 'Digits' }),
  provider: z.enum(PROVIDER_KINDS),
  state: z.enum(NUMBER_STATES),
  isFullyConnected: z.boolean(),
  settings,
  piiMode,
  piiRetentionDays: z.int().nullable(),
  voice: voice.nullable().meta({ description: 'The bot server that inbound calls are connected to; null for none' }),
  marketing: z
    .enum(MARKETING_WAYS)
    .nullable()
    .meta({ description: 'The way of MARKETING templates of an OFFICIAL number; null on UNOFFICIAL' }),
  calling: z.object({ status: z.enum(CALLING_STATUSES) }).nullable(),
  official: z
    .object({ phoneId: z.string(), accountId: z.string(), appId: z.string().nullable(), hasAccessToken: z.boolean() })
    .nullable(),
  engine: engine.nullable().meta({
    description:
      'The engine that holds the session of an UNOFFICIAL number; null before the first start, and where it says nothing of itself',
  }),
  health: z.object({
    qualityRating: z.string().nullable(),
    messagingLimitTier: z.string().nullable(),
    officialStatus: z.string().nullable(),
    sendable: z.boolean(),
    level: z.enum(SESSION_HEALTH_LEVELS).nullable().meta({
      description:
        'How the network thinks of the number: what the engine of an UNOFFICIAL one says, `restricted` where upstream blocked or locked the account of an OFFICIAL one; null while nothing is known',
    }),
    code: z.string().nullable().meta({ description: 'Why, for programs' }),
    text: z.string().nullable().meta({ description: 'Why, for people' }),
  }),
  createdAt: timestamp,
  updatedAt: timestamp,
}

const qrcodeBase64 = z
  .string()
  .nullable()
  .meta({ description: 'PNG data URI of the QR code to scan; null until the device network gave one' })
const pairingCode = z
  .string()
  .nullable()
  .meta({ description: 'Code to type on the phone instead of scanning; null when there is none' })

const apiKey = z.object({ keyId: z.string(), key: z.string(), keyLast4: z.string() })

export const number = z.object(numberFields).meta({ id: 'Number' })

export const createdNumber = z
  .object({
    ...numberFields,
    qrcodeBase64,
    pairingCode,
    apiKey,
  })
  .meta({ id: 'CreatedNumber' })

export const createdOfficialNumber = z
  .object({
    ...numberFields,
    apiKey,
    webhookUrl: z.string().meta({ description: 'Where upstream delivers' }),
    verifyToken: z.string().meta({ description: 'Upstream shows it to verify the address. Shown only here.' }),
  })
  .meta({ id: 'CreatedOfficialNumber' })

export const connection = z
  .object({ state: z.enum(NUMBER_STATES), isFullyConnected: z.boolean() })
  .meta({ id: 'Connection' })

export const limits = z
  .object({
    perSecond: z.number().nullable().meta({ description: 'Messages a second that it paces itself at; null: no limit' }),
    perDay: z.int().nullable().meta({
      description:
        'People outside their window whom the numbers of its account reach within 24 hours, as upstream names it; null: no limit, or none known',
    }),
    used: z.int().nullable().meta({ description: 'People who count now; null where `perDay` is' }),
    resetsAt: timestamp.nullable().meta({ description: 'When the first of them is over; null without any' }),
    source: z.enum(['upstream', 'default']).meta({ description: 'Whether upstream named limits of the number' }),
  })
  .meta({ id: 'NumberLimits' })

export const code = z
  .object({ qrcodeBase64, pairingCode, expiresInMs: z.number().nullable() })
  .meta({ id: 'PairingCode' })

export const deletedNumber = z.object({ deleted: z.literal(true), id: z.string() }).meta({ id: 'DeletedNumber' })
