import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Clock } from '../../src/ports/clock.ts'
import { isRegistered, recipientBehaviour, type DeliveryStatus } from '../devices/behaviours.ts'
import type { Acted } from './call-book.ts'
import { readUser } from './call-book.ts'
import { isCallingEnabled } from './calling-settings.ts'
import { contactOf, messagesChange, seconds, webhookError } from './changes.ts'
import { GraphError, invalid } from './graph-error.ts'
import type { PermissionAnswer, Permissions } from './permissions.ts'
import type { OfficialNumber } from './registry.ts'
import type { Change } from './webhooks.ts'

/** our choice: a user's phone takes 50 ms for each step from sent to read, and 100 ms more to write back. */
const STEP_MS = 50
const REPLY_MS = 100
/** our choice: a user thinks 1 s about a permission request. */
const THINKING_MS = 1_000
/** our choice: this many messages are remembered; the oldest go first. */
const MAX_MESSAGES = 10_000

const textSchema = z.object({ body: z.string().min(1).max(4_096), preview_url: z.boolean().optional() })
const permissionRequestSchema = z.object({
  type: z.literal('call_permission_request'),
  action: z.object({ name: z.literal('call_permission_request') }),
  body: z.object({ text: z.string().min(1).max(1_024) }).optional(),
  header: z.undefined().optional(),
  footer: z.undefined().optional(),
})
const envelopeSchema = z.object({
  messaging_product: z.literal('whatsapp'),
  recipient_type: z.enum(['individual', 'group']).optional(),
  to: z.string(),
  type: z.string().default('text'),
  context: z.object({ message_id: z.string() }).optional(),
  biz_opaque_callback_data: z.string().max(512).optional(),
})
const readSchema = z.object({ messaging_product: z.literal('whatsapp'), status: z.literal('read'), message_id: z.string() })

/** A message of a number to a user. */
export interface OfficialSent {
  readonly externalMessageId: string
  readonly from: string
  readonly to: string
  readonly type: string
  readonly text: string | null
  readonly content: unknown
  readonly quoted: string | null
  readonly bizData: string | null
  readonly atMs: number
  status: DeliveryStatus | null
  isReached: boolean
}

/** A message of a user to a number. */
export interface OfficialReceived {
  readonly externalMessageId: string
  readonly from: string
  readonly to: string
  readonly type: string
  readonly text: string | null
  readonly content: unknown
  readonly atMs: number
  isRead: boolean
}

export interface UserMessage {
  readonly type: string
  /** What stands under the name of the type. */
  readonly content: unknown
  readonly fromName?: string | undefined
  readonly quoted?: string | undefined
  readonly referral?: unknown
}

export interface MessageParts {
  readonly clock: Clock
  readonly permissions: Permissions
  send(change: Change): void
}

function newMessageId(): string {
  return `wamid.HBgM${randomBytes(27).toString('base64url').replaceAll(/[-_]/g, 'A')}==`
}

function read<T>(schema: z.ZodType<T>, value: unknown, within: string = ''): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const isMissing = parsed.error.issues.some(({ path }) => path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key], value) === undefined)
  throw new GraphError(isMissing ? 131008 : 131009, { details: parsed.error.issues.map(({ path, message }) => `${[within, ...path].filter(Boolean).join('.')}: ${message}`).join('; ') })
}

/** Messages of the official platform, both ways, and what users answer to permission requests. */
export class OfficialMessageBook {
  readonly #parts: MessageParts
  readonly #sent = new Map<string, OfficialSent>()
  readonly #received = new Map<string, OfficialReceived>()

  constructor(parts: MessageParts) {
    this.#parts = parts
  }

  /** Body of `POST /{phoneId}/messages`. */
  act(number: OfficialNumber, body: Readonly<Record<string, unknown>>): Acted {
    if (body['messaging_product'] !== 'whatsapp') throw invalid('The parameter messaging_product is required')
    if ('status' in body) return this.#read(read(readSchema, body).message_id)
    const { to, type, context, biz_opaque_callback_data } = read(envelopeSchema, body)
    const user = readUser(to)
    const content = body[type]
    const externalMessageId = newMessageId()
    const isLate = this.#check(number, user, type, content, externalMessageId)
    const message: OfficialSent = {
      externalMessageId, from: number.number, to: user, type, content,
      text: textOf(type, content), quoted: context?.message_id ?? null, bizData: biz_opaque_callback_data ?? null,
      atMs: this.#parts.clock.now(), status: null, isReached: false,
    }
    this.#keep(this.#sent, message)
    return {
      body: { messaging_product: 'whatsapp', contacts: [{ input: to, wa_id: user }], messages: [{ id: externalMessageId }] },
      after: () => (isLate ? this.#report(number, message, 'FAILED', 131047) : this.#deliver(number, message)),
    }
  }

  /** A user writes to a number. */
  receive(number: OfficialNumber, user: string, { type, content, fromName, quoted, referral }: UserMessage): OfficialReceived {
    const { clock, permissions } = this.#parts
    const message: OfficialReceived = {
      externalMessageId: newMessageId(), from: user, to: number.number, type, content, text: textOf(type, content), atMs: clock.now(), isRead: false,
    }
    this.#keep(this.#received, message)
    permissions.openWindow(number, user)
    this.#post(number, user, fromName, {
      ...(quoted === undefined ? {} : { context: { from: number.number, id: quoted } }),
      from: user, id: message.externalMessageId, timestamp: seconds(message.atMs), type, [type]: content,
      ...(referral === undefined ? {} : { referral }),
    })
    return message
  }

  /** A user decides about calls: of its own accord, or on a request. */
  answerPermission(number: OfficialNumber, user: string, answer: PermissionAnswer, cause: { requestId: string | null, isAutomatic?: boolean }): void {
    const { clock, permissions } = this.#parts
    const expiresAtMs = permissions.answer(number, user, answer)
    const isAutomatic = cause.isAutomatic === true
    if (!isAutomatic) permissions.openWindow(number, user)
    this.#post(number, user, undefined, {
      ...(cause.requestId === null ? {} : { context: { from: number.number, id: cause.requestId } }),
      from: user, id: newMessageId(), timestamp: seconds(clock.now()), type: 'interactive',
      interactive: {
        type: 'call_permission_reply',
        call_permission_reply: {
          response: answer.response === 'accept' ? 'accept' : 'reject',
          is_permanent: answer.response === 'accept' && answer.isPermanent,
          ...(expiresAtMs === null ? {} : { expiration_timestamp: Math.floor(expiresAtMs / 1_000) }),
          response_source: isAutomatic ? 'automatic' : 'user_action',
        },
      },
    })
  }

  /** Messages that reached the user, oldest first. */
  inbox(user: string): OfficialSent[] {
    return [...this.#sent.values()].filter((message) => message.to === user && message.isReached)
  }

  /** Messages the user wrote, oldest first. */
  outbox(user: string): OfficialReceived[] {
    return [...this.#received.values()].filter((message) => message.from === user)
  }

  reset(): void {
    this.#sent.clear()
    this.#received.clear()
  }

  /** Refuses what cannot be sent; answers true when the refusal is to come as a status. */
  #check(number: OfficialNumber, user: string, type: string, content: unknown, messageId: string): boolean {
    const { permissions } = this.#parts
    if (type === 'text') {
      read(textSchema, content, 'text')
      if (permissions.isWindowOpen(number, user)) return false
      if (number.windowErrors === 'status') return true
      permissions.assertWindow(number, user)
      return false
    }
    const kind = typeof content === 'object' && content !== null && 'type' in content ? content.type : null
    if (type !== 'interactive' || kind !== 'call_permission_request') throw new GraphError(131051, { details: `Messages of type ${type} are not part of this platform` })
    read(permissionRequestSchema, content, 'interactive')
    if (!isCallingEnabled(number)) throw new GraphError(138000, { details: 'Calling is not enabled for this phone number' })
    permissions.assertWindow(number, user)
    permissions.request(number, user, messageId)
    return false
  }

  #read(messageId: string): Acted {
    const message = this.#received.get(messageId)
    if (!message) throw invalid('message_id: there is no such message')
    message.isRead = true
    return { body: { success: true } }
  }

  #deliver(number: OfficialNumber, message: OfficialSent): void {
    const { clock } = this.#parts
    if (!isRegistered(message.to)) return this.#report(number, message, 'FAILED', 131026)
    const behaviour = recipientBehaviour(message.to)
    message.isReached = behaviour.isReached
    behaviour.statuses.forEach((status, step) => {
      if (step === 0) this.#report(number, message, status)
      else clock.after(step * STEP_MS, () => this.#report(number, message, status, 131026))
    })
    if (message.type === 'interactive') return this.#think(number, message, behaviour.isReached)
    if (!behaviour.isEchoing) return
    clock.after(behaviour.statuses.length * STEP_MS + REPLY_MS, () => {
      this.receive(number, message.to, { type: message.type, content: message.content, quoted: message.externalMessageId })
    })
  }

  /** Peers that decline calls refuse the permission, those that a request does not reach never answer, all others accept for 7 days. */
  #think(number: OfficialNumber, { to: user, externalMessageId }: OfficialSent, isReached: boolean): void {
    if (!isReached) return
    const answer: PermissionAnswer = user.endsWith('0002') ? { response: 'reject' } : { response: 'accept', isPermanent: false }
    this.#parts.clock.after(THINKING_MS, () => {
      const isPending = this.#parts.permissions.pending(number, user) === externalMessageId
      if (isPending) this.answerPermission(number, user, answer, { requestId: externalMessageId })
    })
  }

  #report(number: OfficialNumber, message: OfficialSent, status: DeliveryStatus, code: number = 131026): void {
    message.status = status
    const details = code === 131047 ? 'More than 24 hours have passed since the customer last replied to this number.' : 'The message could not be delivered'
    this.#parts.send(messagesChange(number, {
      ...(status === 'FAILED' ? {} : { contacts: [{ wa_id: message.to }] }),
      statuses: [{
        id: message.externalMessageId, status: status.toLowerCase(), timestamp: seconds(this.#parts.clock.now()), recipient_id: message.to,
        ...(message.bizData === null ? {} : { biz_opaque_callback_data: message.bizData }),
        ...(status === 'FAILED' ? { errors: [webhookError(code, details)] } : {}),
      }],
    }))
  }

  #post(number: OfficialNumber, user: string, name: string | undefined, message: object): void {
    this.#parts.send(messagesChange(number, { contacts: [contactOf(user, name)], messages: [message] }))
  }

  #keep<T extends { readonly externalMessageId: string }>(map: Map<string, T>, message: T): void {
    map.set(message.externalMessageId, message)
    for (const key of map.keys()) {
      if (map.size <= MAX_MESSAGES) return
      map.delete(key)
    }
  }
}

function textOf(type: string, content: unknown): string | null {
  const body: unknown = typeof content === 'object' && content !== null && 'body' in content ? content.body : null
  if (type === 'text') return typeof body === 'string' ? body : null
  const text: unknown = typeof body === 'object' && body !== null && 'text' in body ? body.text : null
  return typeof text === 'string' ? text : null
}
