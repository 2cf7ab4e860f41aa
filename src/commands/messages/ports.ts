import type { Outcome } from '../../domain/errors.ts'
import type { NumberId } from '../../domain/ids.ts'
import type { NumberRef } from '../../domain/number.ts'
import type { CardHosts } from '../../domain/template-rule.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { MessageFiles } from '../../ports/message-media.ts'
import type { FlowStore } from '../../ports/stores/flow-store.ts'
import type { MessageStore } from '../../ports/stores/message-store.ts'
import type { SendQueue } from '../../ports/stores/send-queue.ts'
import type { StoredTemplate, TemplateFileIds, TemplateStore } from '../../ports/stores/template-store.ts'
import type { TemplateFiles } from '../../ports/template-files.ts'

/** All that messages stand on: each verb takes it whole. */
export interface MessagePorts {
  readonly messages: MessageStore
  readonly queue: Pick<SendQueue, 'expire'>
  /** Media of messages: checked and kept before a send is accepted. */
  readonly files: MessageFiles
  /** For those that messages are made of. */
  readonly templates: TemplateStore
  readonly templateFiles: TemplateFiles
  readonly cardHosts: CardHosts
  /**
   * The files of a template, where those it is known to have are not enough: an imported one's are fetched from
   * upstream then, and kept. Null where there is none to be had; refused where nobody can tell now.
   */
  readonly sampleFiles: (number: NumberRef, template: StoredTemplate) => Promise<Outcome<TemplateFileIds>>
  /** For those that messages open. */
  readonly flows: FlowStore
  /** Wakes the owner of the number. Returns at once, never throws. */
  readonly sendsQueued: (numberId: NumberId) => void
  /** Has the session of the number tell upstream. */
  readonly askReadMessages: (numberId: NumberId, externalMessageIds: readonly string[]) => Promise<Outcome<null>>
  readonly clock: Clock
  readonly log: Log
}
