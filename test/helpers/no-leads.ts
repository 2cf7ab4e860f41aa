import type { LeadPorts } from '../../src/commands/leads/ports.ts'

type Stores = Pick<LeadPorts, 'leads' | 'leadPages' | 'leadNotices' | 'leadBackfills' | 'privacy' | 'setAside'>

/** The parts of the stores that routes use. */
const OF_ROUTES: { readonly [K in keyof Stores]: Partial<Stores[K]> } = {
  leads: { list: async () => ({ items: [], total: 0 }), find: async () => null, erase: async () => false },
  leadPages: {
    create: async () => ({ kind: 'gone' }),
    list: async () => [],
    find: async () => null,
    load: async () => null,
    patch: async () => null,
    remove: async () => false,
    tokenDied: async () => {},
    tokenLives: async () => {},
    appSecretsOf: async () => [],
    allFormSettings: async () => new Map(),
    setForm: async () => false,
  },
  leadNotices: { accept: async () => 0 },
  leadBackfills: { start: async () => ({ kind: 'gone' }), newest: async () => null, formsWith: async () => new Set() },
  privacy: { retentionOf: async () => ({ piiMode: 'STORE_INDEFINITE', piiRetentionDays: null }) },
  setAside: {},
}

/** Leads of an installation without leads; tests about leads use the database. */
export const NO_LEADS = OF_ROUTES as Stores
