import { SAMPLE } from '../samples.ts'

const ORIGIN = 'https://crm.example.com'
const SESSION = {
  id: SAMPLE.embedSessionId,
  surface: 'chat',
  channelNumberIds: [SAMPLE.numberId],
  allowedOrigins: [ORIGIN],
  startConversation: false,
  expiresAt: '2026-01-05T12:15:00.000Z',
  maxExpiresAt: '2026-01-06T00:00:00.000Z',
} as const

export const MINT = {
  'The inbox of a number': { surface: 'chat', channelNumberIds: [SAMPLE.numberId], allowedOrigins: [ORIGIN] },
  'The inbox of a number, whose users may write first': {
    surface: 'chat',
    channelNumberIds: [SAMPLE.numberId],
    allowedOrigins: [ORIGIN],
    startConversation: true,
  },
  'Connect links of all numbers, in your look': {
    surface: 'connect',
    allowedOrigins: [ORIGIN, 'http://localhost:5173'],
    brandingOverride: { companyName: 'Acme', primaryColor: '#0a7f5a' },
  },
}
export const MINTED = { ...SESSION, token: SAMPLE.embedToken }
export const LISTED = { sessions: [{ ...SESSION, createdAt: SAMPLE.createdAt, lastUsedAt: SAMPLE.later }] }
export const REVOKED = { revoked: true, id: SAMPLE.embedSessionId }
