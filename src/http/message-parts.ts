import type { MessageFiles } from '../ports/message-media.ts'
import type { MessageStore } from '../ports/stores/message-store.ts'

/** What the REST layer needs for messages. */
export interface MessageParts {
  readonly messages: MessageStore
  /** Media of messages: checked and kept before a send is accepted, served from their public address. */
  readonly files: MessageFiles
}
