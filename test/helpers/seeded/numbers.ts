import { OFFICIAL, PAIRED } from '../number-scenes.ts'
import type { Script } from '../people-scenes.ts'

/** The time at which every page of the seeded account is shown: a Monday. */
export const NOW = '2026-11-23T09:30:00.000Z'

const CONNECTED = { state: 'OPEN', isFullyConnected: true, updatedAt: '2026-11-20T08:12:00.000Z' }

export const RECEPTION = {
  ...PAIRED,
  ...CONNECTED,
  name: 'Reception, São Paulo – Vila Madalena and Pinheiros (both shifts)',
  number: '5511987654321',
}
export const SALES = {
  ...OFFICIAL,
  ...CONNECTED,
  name: 'Vendas',
  number: '5511987654322',
  calling: { status: 'ENABLED' },
  health: { ...OFFICIAL.health, messagingLimitTier: 'TIER_10K' },
}
const HEBREW = { ...PAIRED, id: 'num_3', name: 'שירות לקוחות תל אביב', number: '972521234567', state: 'CONNECTING' }
const OLD = { ...PAIRED, id: 'num_4', name: 'Old shop', number: '491701234567' }
const FLAGGED = {
  ...OFFICIAL,
  ...CONNECTED,
  id: 'num_5',
  name: 'Marketing',
  number: '4930555111',
  health: { ...OFFICIAL.health, qualityRating: 'YELLOW', messagingLimitTier: 'TIER_1K', officialStatus: 'FLAGGED' },
}

/** The numbers of the account: of both kinds, in each state, and one of a language that is written from the right. */
export const NUMBERS = [RECEPTION, SALES, HEBREW, OLD, FLAGGED]

export const NUMBERS_SCRIPT: Script = {
  'GET /api/v1/numbers': { body: NUMBERS },
  ...Object.fromEntries(NUMBERS.map((number) => [`GET /api/v1/numbers/${number.id}`, { body: number }])),
  'GET /api/overview': {
    body: {
      numbers: { OPEN: 3, CONNECTING: 1, CLOSE: 1 },
      checklist: {
        numberConnected: true,
        messageSent: true,
        callPlaced: true,
        webhookDelivered: true,
        brandingSet: false,
        embedMinted: false,
      },
      failing: [{ webhookId: 'wh_2', failed24h: 12 }],
      liveCalls: 2,
      sandbox: null,
    },
  },
}
