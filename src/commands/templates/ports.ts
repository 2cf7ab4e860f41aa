import type { CardHosts } from '../../domain/template-rule.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { FlowStore } from '../../ports/stores/flow-store.ts'
import type { MessageStore } from '../../ports/stores/message-store.ts'
import type { TemplateStore } from '../../ports/stores/template-store.ts'
import type { TemplateFiles } from '../../ports/template-files.ts'
import type { OfficialPorts } from '../official/ports.ts'

/** All that templates stand on: each verb takes it whole. */
export interface TemplatePorts extends Pick<OfficialPorts, 'numbers' | 'official' | 'officialOf' | 'marksStored'> {
  readonly templates: TemplateStore
  readonly templateFiles: TemplateFiles
  readonly cardHosts: CardHosts
  /** For the Flows that buttons open. */
  readonly flows: FlowStore
  /** For the messages that were accepted of a template. */
  readonly messages: MessageStore
  readonly clock: Clock
  readonly log: Log
}
