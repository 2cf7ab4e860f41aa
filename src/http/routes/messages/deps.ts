import type { TemplateSendDeps } from '../../../commands/messages/template-content.ts'
import type { Directory } from '../../../../actors/hosting/directory.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { Log } from '../../../ports/log.ts'
import type { MessageFiles } from '../../../ports/message-media.ts'
import type { MessageStore } from '../../../ports/stores/message-store.ts'
import type { NumberStore } from '../../../ports/stores/number-store.ts'

/** What the routes of messages use. */
export interface MessageDeps extends TemplateSendDeps {
  readonly messages: MessageStore
  /** Media of messages: checked and kept before a send is accepted. */
  readonly files: MessageFiles
  readonly numbers: NumberStore
  readonly directory: Directory
  readonly clock: Clock
  readonly log: Log
}
