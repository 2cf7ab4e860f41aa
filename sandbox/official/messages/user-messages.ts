import type { Clock } from '../../../src/ports/clock.ts'
import { Shelf } from '../../shelf.ts'
import type { PermissionAnswer, Permissions } from '../calls/permissions.ts'
import { invalid } from '../http/graph-error.ts'
import type { OfficialNumber } from '../registry/registry.ts'
import type { ChangedUser, UserNames } from '../registry/user-names.ts'
import { messagesChange, seconds } from '../webhooks/changes.ts'
import type { Change } from '../webhooks/webhooks.ts'
import { newMessageId } from './message-id.ts'
import type { OfficialReceived } from './message-record.ts'
import { textOf } from './message-shapes.ts'

export interface UserMessage {
  readonly type: string
  /** The object named after the type; none when undefined. */
  readonly content: unknown
  /** Null leaves the profile out. */
  readonly fromName?: string | null | undefined
  readonly quoted?: string | undefined
  /** Fields of the context besides that of `quoted`, such as `forwarded`. */
  readonly context?: Readonly<Record<string, unknown>> | undefined
  readonly referral?: unknown
  /** Errors of a message that upstream could not take over. */
  readonly errors?: readonly unknown[] | undefined
  /** Ms since the epoch. */
  readonly timestamp?: number | undefined
  /** The user's id when the user hides the number, whose place it takes. */
  readonly hiddenAs?: string | undefined
  /** True when the message itself does not name its writer, but the contact beside it does. */
  readonly isUnsigned?: boolean | undefined
}

export interface UserMessagesParts {
  readonly clock: Clock
  readonly permissions: Permissions
  readonly names: UserNames
  send(change: Change): void
}

/** Messages of users to numbers, and their answers to permission requests. */
export class UserMessages {
  readonly #parts: UserMessagesParts
  readonly #received = new Shelf<OfficialReceived>()

  constructor(parts: UserMessagesParts) {
    this.#parts = parts
  }

  /** Takes a user's message to a number, which opens the service window. */
  receive(number: OfficialNumber, user: string, message: UserMessage): OfficialReceived {
    const { type, content, fromName, quoted, context, referral, errors, hiddenAs = null, isUnsigned = false } = message
    const { clock, permissions, names } = this.#parts
    if (hiddenAs !== null) names.note(user, hiddenAs)
    const atMs = message.timestamp ?? clock.now()
    const received: OfficialReceived = {
      externalMessageId: newMessageId(hiddenAs ?? user, false),
      from: user,
      to: number.number,
      type,
      content,
      text: textOf(type, content),
      atMs,
      hiddenAs,
      isRead: false,
    }
    this.#received.add(received.externalMessageId, [user], received)
    permissions.openWindow(number, user)
    const hasContext = quoted !== undefined || context !== undefined
    const told = {
      ...(hasContext
        ? { context: { ...(quoted === undefined ? {} : { from: number.number, id: quoted }), ...context } }
        : {}),
      ...(isUnsigned ? {} : names.under('from', 'from_user_id', user, hiddenAs)),
      id: received.externalMessageId,
      timestamp: seconds(atMs),
      type,
      ...(content === undefined ? {} : { [type]: content }),
      ...(referral === undefined ? {} : { referral }),
      ...(errors === undefined ? {} : { errors }),
    }
    this.#parts.send(
      messagesChange(number, { contacts: [names.contactOf(user, fromName, hiddenAs)], messages: [told] }),
    )
    return received
  }

  /** Tells a number that a user changed number or id. Such a message has no contact; it names who the user was. */
  change(number: OfficialNumber, { number: digits, userId, previousId, previousNumber }: ChangedUser): void {
    const hasMoved = digits !== null && digits !== previousNumber
    const told = {
      ...(previousNumber === null ? {} : { from: previousNumber }),
      id: newMessageId(digits ?? userId ?? previousNumber ?? previousId ?? number.number, false),
      timestamp: seconds(this.#parts.clock.now()),
      type: 'system',
      system: {
        body: hasMoved ? `User changed from ${previousNumber} to ${digits}` : 'User changed its id',
        type: hasMoved ? 'user_changed_number' : 'user_changed_user_id',
        ...(digits === null ? {} : { wa_id: digits }),
        ...(userId === null ? {} : { user_id: userId }),
        ...(previousId === null ? {} : { previous_user_id: previousId }),
      },
    }
    this.#parts.send(messagesChange(number, { messages: [told] }))
  }

  /** Notes a user's decision about calls, made unasked or on a request. */
  answerPermission(
    number: OfficialNumber,
    user: string,
    answer: PermissionAnswer,
    cause: { requestId: string | null; isAutomatic?: boolean },
  ): void {
    const { clock, permissions, names } = this.#parts
    const expiresAtMs = permissions.answer(number, user, answer)
    const isAutomatic = cause.isAutomatic === true
    if (!isAutomatic) permissions.openWindow(number, user)
    const told = {
      ...(cause.requestId === null ? {} : { context: { from: number.number, id: cause.requestId } }),
      ...names.under('from', 'from_user_id', user),
      id: newMessageId(user, false),
      timestamp: seconds(clock.now()),
      type: 'interactive',
      interactive: {
        type: 'call_permission_reply',
        call_permission_reply: {
          response: answer.response === 'accept' ? 'accept' : 'reject',
          is_permanent: answer.response === 'accept' && answer.isPermanent,
          ...(expiresAtMs === null ? {} : { expiration_timestamp: Math.floor(expiresAtMs / 1_000) }),
          response_source: isAutomatic ? 'automatic' : 'user_action',
        },
      },
    }
    this.#parts.send(messagesChange(number, { contacts: [names.contactOf(user)], messages: [told] }))
  }

  find(externalMessageId: string): OfficialReceived | null {
    return this.#received.get(externalMessageId)
  }

  /** Marks a message as read by the number, and gives it. Refuses one that nobody wrote to it. */
  read(number: OfficialNumber, externalMessageId: string): OfficialReceived {
    const message = this.find(externalMessageId)
    if (message?.to !== number.number) throw invalid('message_id: there is no such message')
    message.isRead = true
    return message
  }

  /** Messages the user wrote, oldest first. */
  outbox(user: string): OfficialReceived[] {
    return this.#received.of(user)
  }

  reset(): void {
    this.#received.clear()
  }
}
