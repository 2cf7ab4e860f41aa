import { z } from 'zod'
import { NUMBER_STATES, PROVIDER_KINDS } from '../../../domain/number.ts'
import { PAIRING_REASONS } from '../../../domain/pairing.ts'
import { ownBranding, redirectUrl, resolvedBranding } from '../branding/schema.ts'
import { name, settingsInput } from '../numbers/schema.ts'
import { phone, timestamp } from '../phone-schema.ts'

/** The input of a new link. The base URL tells logos of this service apart, see `ownBranding`. */
export function linkInput(baseUrl: string) {
  return z
    .object({
      name,
      number: phone(10),
      branding: ownBranding(baseUrl).optional(),
      settings: settingsInput.optional(),
      redirectUrl: redirectUrl.optional(),
    })
    .meta({ id: 'RemotePairingCreate' })
}

export const link = z
  .object({
    provider: z.enum(PROVIDER_KINDS),
    remotePairingToken: z.string(),
    remotePairingUrl: z.string(),
    numberId: z.string(),
  })
  .meta({ id: 'RemotePairing' })

export const linkView = z
  .object({
    valid: z.literal(true),
    numberId: z.string(),
    name: z.string(),
    number: z.string().meta({ description: 'Masked: only the last four digits are shown' }),
    state: z.enum(NUMBER_STATES),
    branding: resolvedBranding,
    redirectUrl: z.string().nullable().meta({ description: 'Of the link, else the resolved `defaultRedirectUrl`' }),
    expiresAt: timestamp,
  })
  .meta({ id: 'RemotePairingView' })

export const linkStatus = z
  .object({
    numberId: z.string(),
    state: z.enum(NUMBER_STATES),
    isFullyConnected: z.boolean(),
    reason: z.enum(PAIRING_REASONS).nullable().meta({
      description:
        'What is in the way: the codes ran out, the phone asks for a passkey, it has another number, or the number is banned',
    }),
    qrcodeBase64: z.string().nullable(),
    pairingCode: z.string().nullable(),
    expiresInMs: z.number().nullable(),
  })
  .meta({ id: 'RemotePairingStatus' })
