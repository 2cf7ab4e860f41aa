import type { z } from 'zod'
import type { SentVoice } from '../../../domain/number-voice.ts'
import type { NumberSettings } from '../../../domain/number.ts'
import type { CredentialsChange } from '../../../ports/stores/official-store.ts'
import type { patchInput, settingsInput, voiceInput } from './schema.ts'

/** The keys that were sent: an absent key leaves a setting as it is, null resets it. */
export function sentSettings(input: z.output<typeof settingsInput> | undefined): Partial<NumberSettings> {
  return Object.fromEntries(Object.entries(input ?? {}).filter(([, value]) => value !== undefined))
}

/** The bot server that was sent; null removes the one there is, undefined leaves it ([voice.number-setting.1]). */
export function sentVoice(input: z.output<typeof voiceInput> | undefined): SentVoice | null | undefined {
  if (!input) return input
  const {
    connectTo,
    answer,
    onUnreachable,
    headers,
    dialect = 'native',
    rate = null,
    parameters = {},
    onDisconnect = 'hangup',
    record = false,
  } = input
  return {
    connectTo,
    ...(headers && { headers }),
    dialect,
    rate,
    parameters,
    answer,
    onUnreachable,
    onDisconnect,
    record,
  }
}

/** The credentials that were sent; empty when none were ([official.create.5]). */
export function sentCredentials({
  officialAccessToken,
  officialAppId,
  officialAppSecret,
}: z.output<typeof patchInput>): CredentialsChange {
  return {
    ...(officialAccessToken === undefined ? {} : { accessToken: officialAccessToken }),
    ...(officialAppId === undefined ? {} : { appId: officialAppId }),
    ...(officialAppSecret === undefined ? {} : { appSecret: officialAppSecret }),
  }
}
