import type { Clock } from '../../src/ports/clock.ts'
import { MediaShelf } from './media-shelf.ts'
import { OfficialMessageBook } from './message-book.ts'
import { MessageDelivery } from './message-delivery.ts'
import type { Permissions } from './permissions.ts'
import { StatusFeed } from './status-feed.ts'
import { UserMessages } from './user-messages.ts'
import type { Change } from './webhooks.ts'

export interface MessagingParts {
  readonly clock: Clock
  readonly permissions: Permissions
  send(change: Change): void
}

/** Messages between numbers and users, with their media and what is told of them. */
export class Messaging {
  readonly media: MediaShelf
  readonly statuses: StatusFeed
  readonly delivery: MessageDelivery
  readonly users: UserMessages
  readonly messages: OfficialMessageBook

  constructor(parts: MessagingParts) {
    const { clock } = parts
    this.media = new MediaShelf(clock)
    this.statuses = new StatusFeed(clock, (change) => parts.send(change))
    this.delivery = new MessageDelivery({ clock, media: this.media, statuses: this.statuses })
    this.users = new UserMessages(parts)
    this.messages = new OfficialMessageBook({ clock, permissions: parts.permissions, media: this.media, delivery: this.delivery, users: this.users })
  }

  /** Bytes of a media that a message of a number had; null when unknown or not kept any more. */
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
