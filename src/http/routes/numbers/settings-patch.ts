import type { z } from 'zod'
import type { NumberSettings } from '../../../domain/number.ts'
import type { CredentialsChange } from '../../../ports/stores/official-store.ts'
import type { patchInput, settingsInput } from './schema.ts'

/** The keys that were sent: an absent key leaves a setting as it is, null resets it. */
export function sentSettings(input: z.output<typeof settingsInput> | undefined): Partial<NumberSettings> {
  return Object.fromEntries(Object.entries(input ?? {}).filter(([, value]) => value !== undefined))
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
