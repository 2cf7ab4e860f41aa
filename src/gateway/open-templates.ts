import type { TemplatePorts } from '../commands/templates/ports.ts'
import { createTemplates } from '../commands/templates/templates.ts'
import { createCardHosts } from '../net/card-hosts.ts'
import type { TellTemplateRefused } from '../ports/template-refusals.ts'
import type { Stores } from '../storage/stores.ts'
import type { Core } from './core.ts'

/**
 * Our choice: how often accounts that are to be listed are looked for, by one index read; a number that connects wakes
 * it.
 */
const LIST_EVERY_MS = 30_000
/** Our choice: how often requests whose outcome is unknown are looked for; one index read. */
const SETTLE_EVERY_MS = 5_000

interface TemplateNeeds extends Pick<TemplatePorts, 'templateFiles' | 'officialOf' | 'marksStored'> {
  readonly stores: Stores
}

/** Opens the commands on templates and their chores: listings, and requests that are in doubt. */
export function openTemplates({ config, clock, log, upkeep }: Core, needs: TemplateNeeds) {
  const { stores, templateFiles, officialOf, marksStored } = needs
  const cardHosts = createCardHosts(config.egressAllow)
  const ports = { ...stores, templateFiles, officialOf, marksStored, cardHosts, clock, log }
  const templateCommands = createTemplates(ports)
  const due = upkeep.add({
    name: 'list-templates',
    everyMs: LIST_EVERY_MS,
    isDueAtStart: true,
    run: templateCommands.listDue,
  })
  upkeep.add({
    name: 'settle-templates',
    due: 'templates',
    isShared: true,
    everyMs: SETTLE_EVERY_MS,
    isDueAtStart: true,
    run: templateCommands.settleAsked,
  })
  const templateRefused: TellTemplateRefused = (refused) =>
    void templateCommands
      .refused(refused)
      .catch((error: unknown) =>
        log.warn(
          { numberId: refused.numberId, error: String(error) },
          'a template that upstream refused was not marked',
        ),
      )
  return {
    /** These go to the REST layer. */
    templateCommands,
    templatesWanted: (): void => due.wake(),
    /** These go to sends. */
    cardHosts,
    sampleFiles: templateCommands.sampleFiles,
    templateRefused,
  }
}
