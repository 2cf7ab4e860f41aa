import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { FlowResponseStore } from '../../ports/stores/flow-response-store.ts'
import type { FlowStore } from '../../ports/stores/flow-store.ts'
import type { TemplateStore } from '../../ports/stores/template-store.ts'
import type { OfficialPorts } from '../official/ports.ts'

/** The ports of Flows; each command takes all of them. The endpoints of Flows have their own. */
export interface FlowPorts extends Pick<OfficialPorts, 'numbers' | 'official' | 'officialOf' | 'marksStored'> {
  readonly flows: FlowStore
  readonly flowResponses: FlowResponseStore
  /** Updated for templates with a button that opens a Flow. */
  readonly templates: TemplateStore
  readonly clock: Clock
  readonly log: Log
}
