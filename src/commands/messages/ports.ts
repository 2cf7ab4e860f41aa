import type { DeviceOp, DeviceOps } from '../../domain/device-ops.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { NumberId } from '../../domain/ids.ts'
import type { NumberRef } from '../../domain/number.ts'
import type { CardHosts } from '../../domain/template-rule.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { MessageFiles } from '../../ports/message-media.ts'
import type { FlowStore } from '../../ports/stores/flow-store.ts'
import type { MessageBatches } from '../../ports/stores/message-batches.ts'
import type { MessageStore } from '../../ports/stores/message-store.ts'
import type { NumberStore } from '../../ports/stores/number-store.ts'
import type { SendQueue } from '../../ports/stores/send-queue.ts'
import type { StoredTemplate, TemplateFileIds, TemplateStore } from '../../ports/stores/template-store.ts'
import type { TemplateFiles } from '../../ports/template-files.ts'

/** The ports of messages; each command takes all of them. */
export interface MessagePorts {
  readonly messages: MessageStore
  readonly messageBatches: MessageBatches
  readonly queue: Pick<SendQueue, 'expire'>
  /** Read for what the engine of a number can do, where a mode asks for it. */
  readonly numbers: Pick<NumberStore, 'find'>
  /** Checks and keeps media of messages before a send is accepted. */
  readonly files: MessageFiles
  /** Read for the templates that messages are made of. */
  readonly templates: TemplateStore
  readonly templateFiles: TemplateFiles
  readonly cardHosts: CardHosts
  /**
   * The files of a template, for when those that its row names are not enough: those of an imported template are
   * fetched from upstream then, and kept. A file that the template lacks is null. Refused when upstream's files cannot
   * be had.
   */
  readonly sampleFiles: (number: NumberRef, template: StoredTemplate) => Promise<Outcome<TemplateFileIds>>
  /** Read for the Flows that messages open. */
  readonly flows: FlowStore
  /** Wakes the owner of the number. Returns at once, never throws. */
  readonly sendsQueued: (numberId: NumberId) => void
  /** Makes the number's session tell upstream. */
  readonly askReadMessages: (numberId: NumberId, externalMessageIds: readonly string[]) => Promise<Outcome<null>>
  /** Asks the number's device, wherever its session is. */
  readonly askDevice: <O extends DeviceOp>(
    numberId: NumberId,
    op: O,
    input: DeviceOps[O]['input'],
  ) => Promise<Outcome<DeviceOps[O]['value']>>
  readonly clock: Clock
  readonly log: Log
}
