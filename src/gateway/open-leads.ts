import { createLeads } from '../commands/leads/leads.ts'
import type { LeadCommands } from '../commands/leads/leads.ts'
import type { LeadPorts } from '../commands/leads/ports.ts'
import type { Cipher } from '../ports/cipher.ts'
import type { Stores } from '../storage/stores.ts'
import type { Core } from './core.ts'

/**
 * Our choice: how often due retries of leads, answers and imports are looked for, by one index read each; new ones wake
 * it at once.
 */
const DUE = { isShared: true, everyMs: 2_000, isDueAtStart: true } as const
/** Our choice: how often Pages that are due for a sweep are looked for, in ms. */
const SWEEPS_EVERY_MS = 30_000
/** Our choice: the greatest age in ms of what metrics say of waiting leads; one index read. */
const MEASURED_EVERY_MS = 10_000
/** [leads.privacy.2]: the hourly upkeep strips rows. */
const STRIP_EVERY_MS = 3_600_000
/** Our choice: how many ms a stopping node waits for fetches of leads; those cut off are fetched again. */
const GRACE_MS = 5_000

interface LeadNeeds extends Pick<LeadPorts, 'messageCommands' | 'pageOf' | 'processId' | 'broadcast' | 'baseUrl'> {
  readonly cipher: Cipher
  readonly stores: Stores
}

/** The purpose that the verify tokens of Pages are derived for. */
const VERIFY_TOKEN = 'page webhook'

/**
 * Opens the commands on leads and their chores. Whatever is due is a row, and the first node that looks works it off.
 */
export function openLeads(core: Core, { stores, cipher, ...needs }: LeadNeeds) {
  const { config, clock, log, metrics } = core
  const leadCommands = createLeads({
    ...stores,
    ...needs,
    retryMs: config.leads.retryMs,
    // The token is the same on every node and after a restart, because upstream may verify an address at any time.
    pageVerifyToken: (appId) => Buffer.from(cipher.token(appId, VERIFY_TOKEN)).toString('base64url'),
    leadsDue: () => chores.fetches.wake(),
    backfillsDue: () => chores.backfills.wake(),
    autoSendsDue: () => chores.autoSends.wake(),
    clock,
    log,
    metrics,
  })
  const chores = openChores(core, leadCommands)
  return { leadCommands }
}

function openChores({ clock, upkeep, closing }: Core, leads: LeadCommands) {
  const autoSends = upkeep.add({ name: 'accept-auto-sends', due: 'autoSends', ...DUE, run: leads.acceptAutoSends })
  upkeep.add({ name: 'follow-auto-sends', due: 'autoSends', ...DUE, run: leads.followAutoSends })
  const fetches = upkeep.add({ name: 'fetch-leads', due: 'notices', ...DUE, run: leads.fetch })
  upkeep.add({ name: 'measure-leads', everyMs: MEASURED_EVERY_MS, isDueAtStart: true, run: leads.measure })
  const backfills = upkeep.add({ name: 'run-backfills', due: 'backfills', ...DUE, run: leads.runBackfills })
  upkeep.add({ name: 'sweep-pages', everyMs: SWEEPS_EVERY_MS, run: leads.sweep })
  upkeep.add({ name: 'strip-leads', everyMs: STRIP_EVERY_MS, isDueAtStart: true, run: leads.strip })
  closing.add('fetching of leads', () =>
    Promise.race([
      leads.fetched(),
      new Promise<void>((resolve) => {
        clock.after(GRACE_MS, resolve)
      }),
    ]),
  )
  return { autoSends, fetches, backfills }
}
