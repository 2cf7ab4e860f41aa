import type { FlowAction } from './flow.ts'
import type { Fields } from './json-fields.ts'
import type { Destination, MediaKind } from './message.ts'
import type { ReactionMode } from './modes/reaction.ts'
import type { PlainContent } from './outgoing.ts'
import type { TemplateCardBody } from './send-body.ts'

/** A template, by its id or name, and the values that fill it. */
export interface TemplateOrder {
  readonly mode: 'template'
  /** Id or name. */
  readonly templateId: string
  /** Needed when languages share the name; null when none is given. */
  readonly language: string | null
  readonly variables: Fields
  /** Empty for the template's own cards, without values of their own. */
  readonly cards: readonly TemplateCardBody[]
  /** Replaces the header's file; null for that file. `source` is an http(s) URL or data URI. */
  readonly media: {
    readonly source: string
    /** Null for the kind of the header. */
    readonly kind: MediaKind | null
    readonly fileName: string | null
  } | null
  /** What its Flow is sent with; null when the send says nothing of it. */
  readonly flow: { readonly data: Fields | null; readonly token: string | null } | null
}

/** A Flow by itself, with the message around it. */
export interface FlowOrder {
  readonly mode: 'flow'
  /** The service's id. */
  readonly flowId: string
  readonly text: string
  /** Label of the button. */
  readonly cta: string
  readonly header: string | null
  readonly footer: string | null
  /** Null for upstream's default. */
  readonly action: FlowAction | null
  readonly screen: string | null
  readonly data: Fields | null
  /** Null when one is to be made. */
  readonly token: string | null
}

/**
 * What is ordered, a member for each mode with the fields of that mode alone. Media are named by an http(s) URL or a
 * data URI.
 */
export type OrderedContent = PlainContent<string> | TemplateOrder | FlowOrder

/** What an order says beside content and destination. */
interface OrderTerms {
  /** A service id or an upstream id. */
  readonly quotedMessageId: string | null
  /** The earliest time of the send; null, or a time in the past, means now. */
  readonly deliverAt: Date | null
  /** The latest time of the send; null when there is none. */
  readonly deliverUntil: Date | null
  /** Null for the id of the message. */
  readonly correlationId: string | null
}

/** An order whose destination is known. */
export interface PlacedOrder extends OrderTerms {
  readonly to: Destination
  readonly content: OrderedContent
}

/** A reaction goes to the chat of its message; `to` is null when the body names none. */
export interface ReactionOrder extends OrderTerms {
  readonly to: Destination | null
  readonly content: ReactionMode
}

/**
 * A message that somebody wants sent ([messages.send.1]), read and found valid: later steps need not check it again.
 */
export type SendOrder = (PlacedOrder & { readonly content: Exclude<OrderedContent, ReactionMode> }) | ReactionOrder
