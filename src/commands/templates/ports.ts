import type { CardHosts } from '../../domain/template-rule.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { FlowStore } from '../../ports/stores/flow-store.ts'
import type { MessageStore } from '../../ports/stores/message-store.ts'
import type { TemplateStore } from '../../ports/stores/template-store.ts'
import type { TemplateFiles } from '../../ports/template-files.ts'
import type { OfficialPorts } from '../official/ports.ts'

/** The ports of templates; each command takes all of them. */
export interface TemplatePorts extends Pick<OfficialPorts, 'numbers' | 'official' | 'officialOf' | 'marksStored'> {
  readonly templates: TemplateStore
  readonly templateFiles: TemplateFiles
  readonly cardHosts: CardHosts
  /** Read for the Flows that buttons open. */
  readonly flows: FlowStore
  /** Read for the messages that were accepted of a template. */
  readonly messages: MessageStore
  readonly clock: Clock
  readonly log: Log
}
