import { SAMPLE } from '../samples.ts'

/** Has the form of a pairing token. */
const TOKEN = 'rp_00000000000000000000000000'

export const LINK = {
  'As it is': { name: 'Front desk', number: '+55 11 98888-7777' },
  'With the look of your company': {
    name: 'Front desk',
    number: '+55 11 98888-7777',
    branding: { companyName: 'Acme', primaryColor: '#0a7f5a', logoUrl: 'https://example.com/logo.png' },
    redirectUrl: 'https://example.com/connected',
  },
}
export const LINKED = {
  provider: SAMPLE.provider,
  remotePairingToken: TOKEN,
  remotePairingUrl: `https://api.example.com/connect/${TOKEN}`,
  numberId: SAMPLE.numberId,
}

const BRANDING = {
  logoUrl: 'https://example.com/logo.png',
  primaryColor: '#0a7f5a',
  backgroundColor: null,
  companyName: 'Acme',
  subtitle: null,
  supportUrl: null,
  defaultRedirectUrl: null,
  hidePilotStatusBranding: false,
  button: null,
}
export const VIEW = {
  valid: true,
  numberId: SAMPLE.numberId,
  name: 'Front desk',
  number: '*********7777',
  state: 'CLOSE',
  branding: BRANDING,
  redirectUrl: 'https://example.com/connected',
  expiresAt: '2026-01-06T12:00:00.000Z',
}
export const CODE = {
  qrcodeBase64: 'data:image/png;base64,iVBORw0KGgo...',
  pairingCode: 'ABCD-1234',
  expiresInMs: 20_000,
}
export const STATUS = { numberId: SAMPLE.numberId, state: 'CONNECTING', isFullyConnected: false, reason: null, ...CODE }
