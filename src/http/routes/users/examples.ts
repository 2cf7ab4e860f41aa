import { SAMPLE } from '../samples.ts'

const INVITE_URL = `https://api.example.com/invite#${'example'.padEnd(43, '0')}`

export const USER = {
  id: SAMPLE.userId,
  email: 'ann@example.com',
  name: 'Ann',
  role: 'AGENT',
  status: 'ACTIVE',
  lastSeenAt: SAMPLE.later,
  createdAt: SAMPLE.createdAt,
} as const
export const CREATE = { email: 'ann@example.com', role: 'AGENT', name: 'Ann' }
export const INVITED = { ...USER, status: 'INVITED', lastSeenAt: null, inviteUrl: INVITE_URL }
export const PATCH = { role: 'ANALYST' }
export const LINK = { inviteUrl: INVITE_URL, expiresAt: '2026-01-12T12:00:00.000Z' }
export const REMOVED = { deleted: true, id: SAMPLE.userId }
