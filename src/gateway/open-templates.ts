import type { TemplatePorts } from '../commands/templates/ports.ts'
import { createTemplates } from '../commands/templates/templates.ts'
import { createCardHosts } from '../net/card-hosts.ts'
import type { TellTemplateRefused } from '../ports/template-refusals.ts'
import type { Stores } from '../storage/stores.ts'
import { addAccountChores } from './account-chores.ts'
import type { Core } from './core.ts'

interface TemplateNeeds extends Pick<TemplatePorts, 'templateFiles' | 'officialOf' | 'marksStored'> {
  readonly stores: Stores
}

/** Opens the commands on templates and their chores: listings, and requests that are in doubt. */
export function openTemplates(core: Core, needs: TemplateNeeds) {
  const { config, clock, log } = core
  const { stores, templateFiles, officialOf, marksStored } = needs
  const cardHosts = createCardHosts(config.egressAllow)
  const ports = { ...stores, templateFiles, officialOf, marksStored, cardHosts, clock, log }
  const templateCommands = createTemplates(ports)
  const due = addAccountChores(core, 'templates', templateCommands)
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
