import type { Clock } from '../../../src/ports/clock.ts'
import type { Rewriting } from '../../rewriting.ts'
import type { Permissions } from '../calls/permissions.ts'
import { MediaShelf } from '../media/media-shelf.ts'
import type { OfficialNumber } from '../registry/registry.ts'
import type { UserNames } from '../registry/user-names.ts'
import { echoesChange, messagesChange, seconds } from '../webhooks/changes.ts'
import type { Change } from '../webhooks/webhooks.ts'
import { OfficialMessageBook, type MessageParts } from './message-book.ts'
import { MessageDelivery } from './message-delivery.ts'
import { newMessageId } from './message-id.ts'
import type { OfficialReceived, OfficialSent } from './message-record.ts'
import { StatusFeed } from './status-feed.ts'
import { UserMessages } from './user-messages.ts'

export interface MessagingParts {
  readonly clock: Clock
  readonly permissions: Permissions
  readonly names: UserNames
  readonly fill: MessageParts['fill']
  readonly takeFlow: MessageParts['takeFlow']
  send(change: Change): void
}

/** Messages between numbers and users, with their files and the webhooks that tell of them. */
export class Messaging {
  readonly media: MediaShelf
  readonly statuses: StatusFeed
  readonly delivery: MessageDelivery
  readonly users: UserMessages
  readonly messages: OfficialMessageBook
  readonly #names: UserNames

  constructor(parts: MessagingParts) {
    const { clock, names } = parts
    this.#names = names
    this.media = new MediaShelf(clock)
    this.statuses = new StatusFeed(clock, names, (change) => parts.send(change))
    this.delivery = new MessageDelivery({ clock, names, media: this.media, statuses: this.statuses })
    this.users = new UserMessages(parts)
    this.messages = new OfficialMessageBook({
      clock,
      names,
      permissions: parts.permissions,
      media: this.media,
      delivery: this.delivery,
      users: this.users,
      fill: parts.fill,
      takeFlow: parts.takeFlow,
    })
  }

  /**
   * The change that tells that a message was edited or revoked: by its user, or by the business with the app on its own
   * phone.
   */
  rewritten(
    number: OfficialNumber,
    message: OfficialReceived | OfficialSent,
    rewriting: Rewriting,
    atMs: number,
  ): Change {
    const isOfBusiness = !('hiddenAs' in message)
    const id = newMessageId(isOfBusiness ? message.to : message.from, isOfBusiness)
    const told = { id, timestamp: seconds(atMs), ...changedMessage(message, rewriting) }
    if (!('hiddenAs' in message)) return this.echo(number, 'smb_message_echoes', message.to, told)
    const { from: user, hiddenAs } = message
    const writer = this.#names.under('from', 'from_user_id', user, hiddenAs)
    return messagesChange(number, {
      contacts: [this.#names.contactOf(user, undefined, hiddenAs)],
      messages: [{ ...writer, ...told }],
    })
  }

  /** The change that shows a message that the business wrote to a user with the app on its own phone. */
  echo(number: OfficialNumber, field: 'smb_message_echoes' | 'message_echoes', user: string, message: object): Change {
    return echoesChange(
      number,
      field,
      this.#names.under('to', 'to_user_id', user),
      this.#names.contactOf(user),
      message,
    )
  }

  /** Bytes of a file of a number's message; null when unknown or no longer kept. */
  bytesOf(externalMessageId: string, index: number): Buffer | null {
    const message = this.messages.find(externalMessageId)
    return message && this.delivery.bytesOf(message, index)
  }

  reset(): void {
    this.messages.reset()
    this.users.reset()
    this.delivery.clear()
    this.statuses.reset()
    this.media.clear()
  }
}

/** What a webhook of an edit or a revocation holds besides its writer and time. */
function changedMessage(
  { externalMessageId, type, content }: OfficialReceived | OfficialSent,
  rewriting: Rewriting,
): object {
  const named = { original_message_id: externalMessageId }
  if (rewriting.kind === 'revoke') return { type: 'revoke', revoke: named }
  const { text } = rewriting
  const rewritten =
    type === 'text' ? { body: text } : { ...(typeof content === 'object' ? content : {}), caption: text }
  return { type: 'edit', edit: { ...named, message: { type, [type]: rewritten } } }
}
