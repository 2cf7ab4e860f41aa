import { SAMPLE } from '../samples.ts'

const SUMMARY = { id: '120363000000000001@g.us', name: 'Support' }

export const LIST = { groups: [SUMMARY] }
export const GROUP = {
  ...SUMMARY,
  subject: 'Support',
  participants: [
    { number: SAMPLE.number, isAdmin: true },
    { number: SAMPLE.peer, isAdmin: false },
  ],
}
export const WITHOUT_PEER = { ...GROUP, participants: GROUP.participants.slice(0, 1) }
export const NEWSLETTERS = { newsletters: [{ id: '120363000000000002@newsletter', name: 'Acme news' }] }
export const CHECKED = [
  { input: '+55 11 99999-0001', exists: true, number: SAMPLE.peer, name: 'Ana' },
  { input: '+55 11 99999-0004', exists: false, number: null, name: null },
]
