import type { MessageCommands } from '../../../commands/messages/messages.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { NumberStore } from '../../../ports/stores/number-store.ts'

/** What the routes of messages use. */
export interface MessageDeps {
  readonly messageCommands: MessageCommands
  readonly numbers: Pick<NumberStore, 'find'>
  readonly clock: Clock
}
