import { z } from 'zod'
import { isFields, own } from '../../../src/domain/json-fields.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import { Shelf } from '../../shelf.ts'
import { TypingLog } from '../../typing.ts'
import { isCallingEnabled } from '../calls/calling-settings.ts'
import type { PermissionAnswer, Permissions } from '../calls/permissions.ts'
import { DONE, type Acted } from '../http/acted.ts'
import { GraphError, invalid } from '../http/graph-error.ts'
import type { MediaShelf } from '../media/media-shelf.ts'
import type { OfficialNumber } from '../registry/registry.ts'
import type { UserNames } from '../registry/user-names.ts'
import type { MessageDelivery } from './message-delivery.ts'
import { newMessageId } from './message-id.ts'
import type { OfficialSent } from './message-record.ts'
import { interactiveKind, mediaOf, readContent, readPart, textOf } from './message-shapes.ts'
import { PeopleReached } from './people-reached.ts'
import { RateLimits } from './rate-limits.ts'
import type { UserMessages } from './user-messages.ts'

/** our choice: a user answers a permission request after 1 s. */
const THINKING_MS = 1_000
/** Upstream's limit of age of a message that is reacted to, ms. */
const REACTION_MS = 30 * 86_400_000

const envelopeSchema = z.object({
  messaging_product: z.literal('whatsapp'),
  recipient_type: z.enum(['individual', 'group']).optional(),
  to: z.string().optional(),
  recipient: z.string().optional(),
  type: z.string().default('text'),
  context: z.object({ message_id: z.string() }).optional(),
  biz_opaque_callback_data: z.string().max(512).optional(),
})
/** A read mark, perhaps with a typing indicator. */
const readSchema = z.object({
  messaging_product: z.literal('whatsapp'),
  status: z.literal('read'),
  message_id: z.string(),
  typing_indicator: z.object({ type: z.literal('text') }).optional(),
})

/** What a marketing message may say beside the message. */
const marketingSchema = z.object({
  product_policy: z.enum(['CLOUD_API_FALLBACK', 'STRICT']).default('CLOUD_API_FALLBACK'),
  message_activity_sharing: z.boolean().optional(),
})
/** The way of all messages. */
const ORDINARY = { edge: 'messages', isLite: false } as const

/** Refuses a filled template that is no marketing. */
function assertMarketing(content: unknown): void {
  if (isFields(content) && own(content, 'category') === 'MARKETING') return
  throw new GraphError(134100, { details: 'Only marketing messages are supported' })
}

export interface MessageParts {
  readonly clock: Clock
  readonly permissions: Permissions
  readonly names: UserNames
  readonly media: MediaShelf
  readonly delivery: MessageDelivery
  readonly users: UserMessages
  /** Fills the template that a valid message names, one of the number's account, or refuses. */
  fill(number: OfficialNumber, content: unknown): object
  /** Counts a valid message with a Flow of the number's account, or refuses it. */
  takeFlow(number: OfficialNumber, content: unknown): void
}

/** Messages of numbers to users. */
export class OfficialMessageBook {
  /** What users were shown of numbers that write. */
  readonly typing = new TypingLog()
  readonly #parts: MessageParts
  readonly #limits: RateLimits
  readonly #reached: PeopleReached
  readonly #sent = new Shelf<OfficialSent>()

  constructor(parts: MessageParts) {
    this.#parts = parts
    this.#limits = new RateLimits(() => parts.clock.now())
    this.#reached = new PeopleReached(() => parts.clock.now())
  }

  /**
   * Body of `POST /{phoneId}/marketing_messages`. Those of an account that is not let in go as all messages do, unless
   * the body asks that they do not.
   */
  actMarketing(number: OfficialNumber, body: Readonly<Record<string, unknown>>, status: string | null): Acted {
    if (body['type'] !== 'template') throw invalid('Message must be a template message.')
    const { product_policy: policy } = readPart(marketingSchema, body)
    const isLite = status === 'ONBOARDED'
    if (!isLite && policy === 'STRICT') throw new GraphError(134102, { details: 'The account is not onboarded' })
    return this.act(number, body, { edge: 'marketing_messages', isLite })
  }

  /** Body of `POST /{phoneId}/messages`. */
  act(
    number: OfficialNumber,
    body: Readonly<Record<string, unknown>>,
    way: Pick<OfficialSent, 'edge' | 'isLite'> = ORDINARY,
  ): Acted {
    if (body['messaging_product'] !== 'whatsapp') throw invalid('The parameter messaging_product is required')
    if ('status' in body) {
      const { message_id: id, typing_indicator: typing } = readPart(readSchema, body)
      const { from: to } = this.#parts.users.read(number, id)
      if (typing) this.typing.add({ from: number.number, to, state: 'typing', atMs: this.#parts.clock.now() })
      return DONE
    }
    const { to, recipient, type, context, biz_opaque_callback_data } = readPart(envelopeSchema, body)
    const user = this.#parts.names.read(to, recipient)
    const content = this.#read(number, type, spelled(body[type]))
    const externalMessageId = newMessageId(user, true)
    if (way.edge === 'marketing_messages') assertMarketing(content)
    const isLate = this.#check(number, user, { type, content, externalMessageId })
    if (interactiveKind(type, content) === 'flow') this.#parts.takeFlow(number, content)
    const message: OfficialSent = {
      externalMessageId,
      from: number.number,
      to: user,
      type,
      content,
      text: textOf(type, content),
      quoted: context?.message_id ?? null,
      bizData: biz_opaque_callback_data ?? null,
      ...way,
      atMs: this.#parts.clock.now(),
      media: [],
      status: null,
      isReached: false,
    }
    this.#sent.add(externalMessageId, [user], message)
    return { body: this.#taken(message, to ?? recipient), after: () => void this.#deliver(number, message, isLate) }
  }

  /** The answer of a message that was taken; `input` is the user as the request names it. */
  #taken({ externalMessageId, to, type }: OfficialSent, input: string | undefined): object {
    return {
      messaging_product: 'whatsapp',
      contacts: [{ input, ...this.#parts.names.under('wa_id', 'user_id', to) }],
      messages: [{ id: externalMessageId, ...(type === 'template' ? { message_status: 'accepted' } : {}) }],
    }
  }

  /** Notes a message that the business wrote to a user with the app on its own phone. */
  noteEcho(
    number: OfficialNumber,
    user: string,
    { externalMessageId, type, content }: Pick<OfficialSent, 'externalMessageId' | 'type' | 'content'>,
  ): void {
    this.#sent.add(externalMessageId, [user], {
      externalMessageId,
      from: number.number,
      to: user,
      type,
      content,
      text: textOf(type, content),
      quoted: null,
      bizData: null,
      ...ORDINARY,
      atMs: this.#parts.clock.now(),
      media: [],
      status: null,
      isReached: true,
    })
  }

  /** A message of a number; null when unknown. */
  find(externalMessageId: string): OfficialSent | null {
    return this.#sent.get(externalMessageId)
  }

  /** Messages that reached the user, oldest first. */
  inbox(user: string): OfficialSent[] {
    return this.#sent.of(user).filter(({ isReached }) => isReached)
  }

  reset(): void {
    this.#sent.clear()
    this.#limits.clear()
    this.#reached.clear()
    this.typing.clear()
  }

  /** The object named after the type; that of a template is filled. */
  #read(number: OfficialNumber, type: string, given: unknown): unknown {
    const content = readContent(type, given)
    return type === 'template' ? this.#parts.fill(number, content) : given
  }

  /** Refuses what cannot be sent; true when the refusal is to come as a status. */
  #check(
    number: OfficialNumber,
    user: string,
    { type, content, externalMessageId }: Pick<OfficialSent, 'type' | 'content' | 'externalMessageId'>,
  ): boolean {
    const { permissions } = this.#parts
    this.#assertMedia(number, type, content)
    if (type === 'reaction') this.#assertReaction(number, user, content as { readonly message_id: string })
    this.#limits.take(number, user)
    if (interactiveKind(type, content) === 'call_permission_request') {
      if (!isCallingEnabled(number))
        throw new GraphError(138000, { details: 'Calling is not enabled for this phone number' })
      permissions.assertWindow(number, user)
      permissions.request(number, user, externalMessageId)
      return false
    }
    // Templates may be sent while the window is closed.
    if (type === 'template') {
      if (!permissions.isWindowOpen(number, user)) this.#reached.take(number, user)
      return false
    }
    if (number.windowErrors === 'status') return !permissions.isWindowOpen(number, user)
    permissions.assertWindow(number, user)
    return false
  }

  #assertMedia({ phoneId }: OfficialNumber, type: string, content: unknown): void {
    for (const { type: kind, id } of mediaOf(type, content)) {
      if (id === null || this.#parts.media.find(id)?.phoneId === phoneId) continue
      throw new GraphError(100, { details: `Param ${kind}['id'] is not a valid media attachment ID` })
    }
  }

  /** Checks the message reacted to: it must be between the two, no reaction itself, and not too old. */
  #assertReaction({ number }: OfficialNumber, user: string, { message_id: id }: { readonly message_id: string }): void {
    const target = this.#sent.get(id) ?? this.#parts.users.find(id)
    const isBetween =
      target !== null && [target.from, target.to].includes(number) && [target.from, target.to].includes(user)
    const isGood = isBetween && target.type !== 'reaction' && this.#parts.clock.now() < target.atMs + REACTION_MS
    if (!isGood) throw new GraphError(131009, { details: 'reaction.message_id: this message cannot be reacted to' })
  }

  async #deliver(number: OfficialNumber, message: OfficialSent, isLate: boolean): Promise<void> {
    const { delivery, users } = this.#parts
    const { type, content, to: user, externalMessageId: quoted } = message
    if (isLate) return delivery.report(number, message, 'FAILED', 131047)
    await delivery.deliver(number, message, mediaOf(type, content), (text) => {
      if (interactiveKind(type, content) !== 'call_permission_request')
        users.receive(number, user, { type: 'text', content: { body: text }, quoted })
    })
    if (interactiveKind(type, content) === 'call_permission_request' && message.isReached) this.#think(number, message)
  }

  /**
   * Answers a permission request: peers that decline calls refuse, those that a request does not reach never answer,
   * all others accept for 7 days.
   */
  #think(number: OfficialNumber, { to: user, externalMessageId }: OfficialSent): void {
    const { clock, permissions, users } = this.#parts
    const answer: PermissionAnswer = user.endsWith('0002')
      ? { response: 'reject' }
      : { response: 'accept', isPermanent: false }
    clock.after(THINKING_MS, () => {
      const isPending = permissions.pending(number, user) === externalMessageId
      if (isPending) users.answerPermission(number, user, answer, { requestId: externalMessageId })
    })
  }
}

/** A part as it is meant: some clients give lists as JSON text, which upstream takes as it does in forms. */
function spelled(part: unknown): unknown {
  if (typeof part !== 'string' || !/^[[{]/.test(part)) return part
  try {
    return JSON.parse(part)
  } catch {
    return part
  }
}
