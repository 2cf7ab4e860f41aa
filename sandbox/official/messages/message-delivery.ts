import { isFields, own } from '../../../src/domain/json-fields.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import { isRegistered, recipientBehaviour, type DeliveryStatus } from '../../devices/behaviours.ts'
import { ByteStore } from '../../media/byte-store.ts'
import { fetchMedia } from '../../media/fetch-media.ts'
import type { MediaReference } from '../media/media-reference.ts'
import { faultOfMedia } from '../media/media-rules.ts'
import type { MediaShelf } from '../media/media-shelf.ts'
import type { OfficialNumber } from '../registry/registry.ts'
import type { UserNames } from '../registry/user-names.ts'
import { seconds, webhookError } from '../webhooks/changes.ts'
import type { OfficialSent, OfficialSentMedia } from './message-record.ts'
import type { StatusFeed } from './status-feed.ts'

/** our choice: a user's phone takes 50 ms for each step from sent to read, and 100 ms more to write back. */
const STEP_MS = 50
const REPLY_MS = 100
/** Upstream's price of a message inside the window, and of a template, which the statuses sent and delivered show. */
const PRICING = { billable: false, pricing_model: 'PMP', type: 'free_customer_service', category: 'service' }
const TEMPLATE_PRICING = { billable: true, pricing_model: 'PMP', type: 'regular' }

const REASONS: Readonly<Record<number, string>> = {
  131026: 'Message Undeliverable.',
  131047: 'More than 24 hours have passed since the customer last replied to this number.',
  131053: 'The media could not be downloaded from its link',
}

export interface DeliveryParts {
  readonly clock: Clock
  readonly names: UserNames
  readonly media: MediaShelf
  readonly statuses: StatusFeed
}

type Got = { readonly media: OfficialSentMedia } | { readonly fault: string }

function pricingOf({ type, content, isLite }: OfficialSent): object {
  if (isLite) return { ...TEMPLATE_PRICING, category: 'marketing_lite' }
  return type === 'template' && isFields(content)
    ? { ...TEMPLATE_PRICING, category: String(own(content, 'category')).toLowerCase() }
    : PRICING
}

/** Upstream still names the kind of conversation of marketing messages. */
function conversationOf({ externalMessageId, isLite }: OfficialSent): object {
  return isLite ? { conversation: { id: `of ${externalMessageId}`, origin: { type: 'marketing_lite' } } } : {}
}

/** Delivers messages after their 200: fetches files, reaches users or not, and tells statuses. */
export class MessageDelivery {
  readonly #parts: DeliveryParts
  /** Files sent by link, by message id and place. */
  readonly #linked = new ByteStore()

  constructor(parts: DeliveryParts) {
    this.#parts = parts
  }

  /** Delivers as the user's number says. `reply` is called when the user writes back, which only texts make one do. */
  async deliver(
    number: OfficialNumber,
    message: OfficialSent,
    references: readonly MediaReference[],
    reply: (text: string) => void,
  ): Promise<void> {
    if (!isRegistered(message.to)) return this.report(number, message, 'FAILED', 131026)
    const got = await Promise.all(
      references.map(async (reference, index) => await this.#get(reference, `${message.externalMessageId} ${index}`)),
    )
    const fault = got.find((one) => 'fault' in one)
    if (fault) return this.report(number, message, 'FAILED', 131053, fault.fault)
    message.media = got.flatMap((one) => ('media' in one ? [one.media] : []))
    const { clock } = this.#parts
    const behaviour = recipientBehaviour(message.to)
    message.isReached = behaviour.isReached
    behaviour.statuses.forEach((status, step) => {
      if (step === 0) this.report(number, message, status)
      else clock.after(step * STEP_MS, () => this.report(number, message, status))
    })
    const { text } = message
    if (!behaviour.isEchoing || text === null) return
    clock.after(behaviour.statuses.length * STEP_MS + REPLY_MS, () => reply(text))
  }

  /** Notes a status and posts it. `code` and `details` say why the message failed. */
  report(
    number: OfficialNumber,
    message: OfficialSent,
    status: DeliveryStatus,
    code: number = 131026,
    details: string = REASONS[code] ?? '',
  ): void {
    message.status = status
    const { clock, names, statuses } = this.#parts
    statuses.tell(number, message.to, {
      id: message.externalMessageId,
      status: status.toLowerCase(),
      timestamp: seconds(clock.now()),
      ...names.under('recipient_id', 'recipient_user_id', message.to),
      ...(message.bizData === null ? {} : { biz_opaque_callback_data: message.bizData }),
      ...(status === 'SENT' || status === 'DELIVERED'
        ? { ...conversationOf(message), pricing: pricingOf(message) }
        : {}),
      ...(status === 'FAILED' ? { errors: [webhookError(code, details)] } : {}),
    })
  }

  /** Bytes of one file of a message; null when they are no longer kept. */
  bytesOf({ externalMessageId, media }: OfficialSent, index: number): Buffer | null {
    const mediaId = media[index]?.mediaId ?? null
    if (mediaId === null) return this.#linked.get(`${externalMessageId} ${index}`)
    const uploaded = this.#parts.media.find(mediaId)
    return uploaded && this.#parts.media.bytesOf(uploaded)
  }

  clear(): void {
    this.#linked.clear()
  }

  async #get({ type, id, link }: MediaReference, key: string): Promise<Got> {
    const { media: shelf } = this.#parts
    if (id !== null) {
      const uploaded = shelf.find(id)
      if (!uploaded) return { fault: 'The media was deleted before it was sent' }
      const { mimeType, sizeBytes, sha256, fileName } = uploaded
      const fault = faultOfMedia(type, { mimeType, sizeBytes, bytes: shelf.bytesOf(uploaded) })
      return fault === null ? { media: { mediaId: id, mimeType, sizeBytes, sha256, fileName } } : { fault }
    }
    // Upstream does not fetch from its own addresses of samples.
    if (link?.includes('/official/samples/')) return { fault: REASONS[131053] ?? '' }
    const fetched = await fetchMedia(link ?? '').catch(() => null)
    if (!fetched) return { fault: REASONS[131053] ?? '' }
    const { mimeType, sizeBytes, sha256, bytes } = fetched
    const fault = faultOfMedia(type, fetched)
    if (fault !== null) return { fault }
    this.#linked.keep(key, bytes)
    return { media: { mediaId: null, mimeType, sizeBytes, sha256, fileName: null } }
  }
}
