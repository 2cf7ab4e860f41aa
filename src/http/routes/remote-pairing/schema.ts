import { z } from 'zod'
import { NUMBER_STATES, PROVIDER_KINDS } from '../../../domain/number.ts'
import { name, settingsInput } from '../numbers/schema.ts'
import { phone, timestamp } from '../phone-schema.ts'
import { shownAddress } from '../web-address.ts'

const httpsUrl = shownAddress({ protocol: /^https$/, hostname: z.regexes.hostname }).nullable().optional()
const color = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'must be #RRGGBB').nullable().optional()

/** Look of one connect link (spec: Connect-page branding). The inner fields of `button` are not listed there: text, numbers and flags are kept as they are. */
export const branding = z.object({
  logoUrl: httpsUrl,
  primaryColor: color,
  backgroundColor: color,
  companyName: z.string().max(60).nullable().optional(),
  subtitle: z.string().max(120).nullable().optional(),
  supportUrl: httpsUrl,
  defaultRedirectUrl: httpsUrl,
  hidePilotStatusBranding: z.boolean().optional(),
  button: z.record(z.string().max(60), z.union([z.string().max(500), z.number(), z.boolean(), z.null()])).optional(),
}).meta({ id: 'BrandingInput' })

export const linkInput = z.object({
  name,
  number: phone(10),
  branding: branding.optional(),
  settings: settingsInput.optional(),
  redirectUrl: shownAddress({ protocol: /^https?$/ }).optional(),
}).meta({ id: 'RemotePairingCreate' })

export const link = z.object({
  provider: z.enum(PROVIDER_KINDS),
  remotePairingToken: z.string(),
  remotePairingUrl: z.string(),
  numberId: z.string(),
}).meta({ id: 'RemotePairing' })

export const tokenParams = z.object({ token: z.string().meta({ description: 'Pairing token of a connect link', example: 'rp_00000000000000000000000000' }) })

export const linkView = z.object({
  valid: z.literal(true),
  name: z.string(),
  number: z.string().meta({ description: 'Masked: only the last four digits are shown' }),
  state: z.enum(NUMBER_STATES),
  branding: z.object({
    logoUrl: z.string().nullable(),
    primaryColor: z.string().nullable(),
    backgroundColor: z.string().nullable(),
    companyName: z.string().nullable(),
    subtitle: z.string().nullable(),
    supportUrl: z.string().nullable(),
    defaultRedirectUrl: z.string().nullable(),
    hidePilotStatusBranding: z.boolean(),
    button: z.record(z.string(), z.unknown()).optional(),
  }).meta({ id: 'Branding' }),
  redirectUrl: z.string().nullable(),
  expiresAt: timestamp,
}).meta({ id: 'RemotePairingView' })

export const linkStatus = z.object({
  state: z.enum(NUMBER_STATES),
  isFullyConnected: z.boolean(),
  qrcodeBase64: z.string().nullable(),
  pairingCode: z.string().nullable(),
  expiresInMs: z.number().nullable(),
}).meta({ id: 'RemotePairingStatus' })
