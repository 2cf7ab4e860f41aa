import type { Brand } from '../../../commands/pages/brand-of-link.ts'
import { DEFAULT_BRANDING } from '../../../domain/branding.ts'
import type { Branding } from '../../../domain/branding.ts'
import { themeOf, themeWarnings } from '../../../domain/contrast.ts'

const SET = {
  companyName: 'Acme',
  subtitle: 'Connect your phone',
  primaryColor: '#ffc800',
  supportUrl: 'https://example.com/help',
}
const BRANDING: Branding = { ...DEFAULT_BRANDING, ...SET, backgroundColor: '#ffffff' }

export const CHANGE = {
  'What is named is set': { ...SET, backgroundColor: '#ffffff' },
  'Null clears': { logoUrl: null, hidePilotStatusBranding: false },
}
export const READ = { branding: BRANDING }
export const CHANGED = { branding: BRANDING, warnings: themeWarnings(BRANDING) }
export const UPLOADED = {
  url: 'https://api.example.com/branding/logos/00000000000000000000000000.png',
  key: '00000000000000000000000000.png',
  mimeType: 'image/png',
  fileName: 'logo.png',
  sizeBytes: 4_096,
}
export const OF_LINK: Brand = { branding: { ...BRANDING, button: null }, theme: themeOf(BRANDING) }
