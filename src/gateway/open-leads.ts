import { acceptAutoSends, followAutoSends } from '../commands/leads/auto-sends.ts'
import { LeadFetching } from '../commands/leads/fetch-leads.ts'
import { createLeadMeasures, type LeadMeasures } from '../commands/leads/measures.ts'
import { createLeadForms } from '../commands/leads/remembered-forms.ts'
import { runBackfills } from '../commands/leads/run-backfills.ts'
import { sweepPages } from '../commands/leads/sweep.ts'
import type { MessageCommands } from '../commands/messages/messages.ts'
import type { Cipher } from '../ports/cipher.ts'
import type { PageOf } from '../ports/official/pages.ts'
import type { Stores } from '../storage/stores.ts'
import type { Core } from './core.ts'

/**
 * Our choice: how often leads that are due again, answers and imports are looked for, index reads each; what is new
 * wakes them at once.
 */
const DUE_EVERY_MS = 2_000
/** Our choice: how often Pages that are to be swept are looked for. */
const SWEEPS_EVERY_MS = 30_000
/** Our choice: how old what metrics tell of waiting leads may be; one index read. */
const MEASURED_EVERY_MS = 10_000
/** contract 12, Privacy. */
const STRIP_EVERY_MS = 3_600_000
/** Our choice: rows that one statement strips. */
const STRIPPED = 500
/** Our choice: leads that are asked for when the node stops have so long; those cut off are asked for again. */
const GRACE_MS = 5_000

interface LeadNeeds {
  readonly cipher: Cipher
  readonly stores: Pick<Stores, 'leads' | 'setAside' | 'leadNotices' | 'leadPages' | 'leadBackfills' | 'idempotency'>
  /** For the answers of leads. */
  readonly messageCommands: Pick<MessageCommands, 'send'>
  readonly pageOf: PageOf
  /** Names this process among the nodes. */
  readonly processId: string
}

/** What verify tokens of Pages are derived for. */
const VERIFY_TOKEN = 'page webhook'

/** Joins what leads are made of beside their rows: all that is due is a row, worked off by whoever looks first. */
export function openLeads(core: Core, needs: LeadNeeds) {
  const { upkeep } = core
  const {
    stores: { leads },
    cipher,
  } = needs
  const { fetching, fetches, autoSends, shared } = openFetching(core, needs)
  const backfills = upkeep.add({
    name: 'run-backfills',
    due: 'backfills',
    isShared: true,
    everyMs: DUE_EVERY_MS,
    isDueAtStart: true,
    run: (isWanted) => runBackfills(shared, isWanted),
  })
  upkeep.add({
    name: 'sweep-pages',
    everyMs: SWEEPS_EVERY_MS,
    run: (isWanted) => sweepPages({ ...shared, leadsNoticed: () => fetches.wake() }, isWanted),
  })
  upkeep.add({
    name: 'strip-leads',
    everyMs: STRIP_EVERY_MS,
    isDueAtStart: true,
    run: async () => (await leads.strip(STRIPPED)) === STRIPPED,
  })
  core.closing.add('fetching of leads', () =>
    Promise.race([
      fetching.idle(),
      new Promise<void>((resolve) => {
        core.clock.after(GRACE_MS, resolve)
      }),
    ]),
  )
  return {
    /** For REST. The same on every node, and after a restart: upstream may verify an address at any time. */
    pageVerifyToken: (appId: string): string => Buffer.from(cipher.token(appId, VERIFY_TOKEN)).toString('base64url'),
    leadsDue: (): void => fetches.wake(),
    backfillsDue: (): void => backfills.wake(),
    autoSendsDue: (): void => autoSends.wake(),
  }
}

/** The way of a lead from its notice to the answer. */
function openFetching(core: Core, needs: LeadNeeds) {
  const { config, clock, log, metrics, upkeep } = core
  const { stores, pageOf, processId, messageCommands } = needs
  const measures = createLeadMeasures(metrics)
  const shared = {
    ...stores,
    pageOf,
    forms: createLeadForms(clock),
    retryMs: config.leads.retryMs,
    measures,
    clock,
    log,
  }
  const autoSends = openAutoSends(core, stores, messageCommands, measures)
  const fetching: LeadFetching = new LeadFetching({
    ...shared,
    processId,
    wake: () => fetches.wake(),
    answerWanted: () => autoSends.wake(),
  })
  const fetches = upkeep.add({
    name: 'fetch-leads',
    due: 'notices',
    isShared: true,
    everyMs: DUE_EVERY_MS,
    isDueAtStart: true,
    run: (isWanted) => fetching.turn(isWanted),
  })
  upkeep.add({
    name: 'measure-leads',
    everyMs: MEASURED_EVERY_MS,
    isDueAtStart: true,
    run: async () => measures.waiting(await stores.leadNotices.waiting(), clock.now()),
  })
  return { fetching, fetches, autoSends, shared }
}

/** The answers of leads: accepted as messages, then followed to their end. */
function openAutoSends(
  { clock, log, upkeep }: Core,
  { leads, idempotency }: LeadNeeds['stores'],
  messageCommands: LeadNeeds['messageCommands'],
  measures: LeadMeasures,
) {
  const answering = { leads, idempotency, messageCommands, measures, clock, log }
  const autoSends = upkeep.add({
    name: 'accept-auto-sends',
    due: 'autoSends',
    isShared: true,
    everyMs: DUE_EVERY_MS,
    isDueAtStart: true,
    run: (isWanted) => acceptAutoSends(answering, isWanted),
  })
  upkeep.add({
    name: 'follow-auto-sends',
    due: 'autoSends',
    isShared: true,
    everyMs: DUE_EVERY_MS,
    isDueAtStart: true,
    run: () => followAutoSends(answering),
  })
  return autoSends
}
