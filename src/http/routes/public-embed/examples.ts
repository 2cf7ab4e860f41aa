import { DEFAULT_LOOK } from '../../../domain/branding.ts'
import { themeOf } from '../../../domain/contrast.ts'
import { SAMPLE } from '../samples.ts'

export const SHOWN = {
  id: SAMPLE.embedSessionId,
  surface: 'chat',
  numbers: [
    { id: SAMPLE.numberId, name: 'Front desk', number: SAMPLE.number, provider: SAMPLE.provider, state: 'OPEN' },
  ],
  allowedOrigins: ['https://crm.example.com'],
  branding: DEFAULT_LOOK,
  theme: themeOf(DEFAULT_LOOK),
  unreadTotal: 2,
  expiresAt: '2026-01-05T12:15:00.000Z',
  maxExpiresAt: '2026-01-06T00:00:00.000Z',
}
