import { z } from 'zod'
import { KEY_SCOPES } from '../../../domain/api-key.ts'
import { timestamp } from '../phone-schema.ts'

export const keyItem = z
  .object({
    numberId: z.string(),
    number: z.string().meta({ description: 'Digits' }),
    displayName: z.string(),
    keyId: z.string(),
    keyLast4: z.string(),
    key: z.string().nullable().meta({ description: 'The usable raw key; null for legacy keys' }),
    revealable: z.boolean(),
  })
  .meta({ id: 'ApiKeyItem' })

export const replaceInput = z.object({ channelNumberId: z.string().min(1) }).meta({ id: 'ApiKeyReplace' })

export const replacedKey = z
  .object({
    numberId: z.string(),
    keyId: z.string(),
    keyPrefix: z.string(),
    keyLast4: z.string(),
    key: z.string(),
    createdAt: timestamp,
  })
  .meta({ id: 'ReplacedApiKey' })

export const ownKey = z
  .object({
    id: z.string(),
    name: z.string(),
    key: z.string(),
    keyPrefix: z.string(),
    keyLast4: z.string(),
    scope: z.enum(KEY_SCOPES),
    channelNumberId: z.string().nullable(),
    createdAt: timestamp,
  })
  .meta({ id: 'RegeneratedApiKey' })
