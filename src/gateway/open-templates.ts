import { listDueTemplates } from '../commands/templates/list-due.ts'
import { createListings } from '../commands/templates/listings.ts'
import { templateRefused } from '../commands/templates/refused.ts'
import { createSampleFiles } from '../commands/templates/sample-files.ts'
import { settleAskedTemplates } from '../commands/templates/settle-asked.ts'
import { templateTold, type TemplateEvent } from '../commands/templates/told.ts'
import { createCardHosts } from '../net/card-hosts.ts'
import type { UpstreamDeps } from '../commands/templates/upstream.ts'
import type { TellTemplateRefused } from '../ports/template-refusals.ts'
import type { TemplateFiles } from '../ports/template-files.ts'
import type { Stores } from '../storage/stores.ts'
import type { Core } from './core.ts'

/**
 * Our choice: how often accounts that are to be listed are looked for, one index read; a number that is connected wakes
 * it.
 */
const LIST_EVERY_MS = 30_000
/** Our choice: how often requests that nobody knows the end of are looked for; one index read. */
const SETTLE_EVERY_MS = 5_000

interface TemplateNeeds extends Pick<UpstreamDeps, 'officialOf' | 'marksStored'> {
  readonly stores: Pick<Stores, 'templates' | 'flows' | 'official' | 'numbers' | 'messages'>
  readonly templateFiles: TemplateFiles
}

/**
 * Joins what templates are made of beside their rows: listings, what webhooks and sends say of them, and the doubt that
 * is left.
 */
export function openTemplates(
  { config, clock, log, upkeep }: Core,
  { stores, templateFiles, officialOf, marksStored }: TemplateNeeds,
) {
  const { templates, flows, official, numbers, messages } = stores
  const deps = { templates, flows, templateFiles, official, numbers, messages, officialOf, marksStored, clock, log }
  const listings = createListings(deps)
  const due = upkeep.add({
    name: 'list-templates',
    everyMs: LIST_EVERY_MS,
    isDueAtStart: true,
    run: (isWanted) => listDueTemplates({ ...deps, listings }, isWanted),
  })
  upkeep.add({
    name: 'settle-templates',
    due: 'templates',
    isShared: true,
    everyMs: SETTLE_EVERY_MS,
    isDueAtStart: true,
    run: (isWanted) => settleAskedTemplates(deps, isWanted),
  })
  const tellRefused: TellTemplateRefused = (refused) =>
    void templateRefused(deps, refused).catch((error: unknown) =>
      log.warn({ numberId: refused.numberId, error: String(error) }, 'a template that upstream refused was not marked'),
    )
  return {
    /** For REST. */
    cardHosts: createCardHosts(config.egressAllow),
    listings,
    templatesWanted: (): void => due.wake(),
    /** For sends. */
    sampleFiles: createSampleFiles(deps),
    templateRefused: tellRefused,
    /** For changes of accounts. */
    templateTold: (event: TemplateEvent) => templateTold(deps, event),
  }
}
