import type { RestDeps } from '../../src/http/server.ts'

/** Leads of an installation that has none: those of tests that are about leads stand on the database. */
export const NO_LEADS: Pick<RestDeps, 'leads' | 'leadPages' | 'leadNotices' | 'leadBackfills' | 'privacy'> = {
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
    takeSweeps: async () => [],
    formSettings: async () => ({ consentKey: null, autoSend: null }),
    allFormSettings: async () => new Map(),
    setForm: async () => false,
  },
  leadNotices: { accept: async () => 0 },
  leadBackfills: { start: async () => ({ kind: 'gone' }), newest: async () => null, formsWith: async () => new Set() },
  privacy: { retentionOf: async () => ({ piiMode: 'STORE_INDEFINITE', piiRetentionDays: null }) },
}
