import type { FlowAction } from './flow.ts'
import type { Fields } from './json-fields.ts'
import type { Destination, MediaKind } from './message.ts'
import type { PlainContent } from './outgoing.ts'
import type { TemplateCardBody } from './send-body.ts'

/** A template, by its id or name, and what fills it in. */
export interface TemplateOrder {
  readonly mode: 'template'
  /** Id or name. */
  readonly templateId: string
  /** Where languages share its name; null: none is named. */
  readonly language: string | null
  readonly variables: Fields
  /** Empty: the template's own, without values of their own. */
  readonly cards: readonly TemplateCardBody[]
  /** In place of the header's file; null: that one. `source`: http(s) URL or data URI. */
  readonly media: {
    readonly source: string
    /** Null: whatever the header is. */
    readonly kind: MediaKind | null
    readonly fileName: string | null
  } | null
  /** What its Flow is sent with; null: nothing was said of it. */
  readonly flow: { readonly data: Fields | null; readonly token: string | null } | null
}

/** A Flow by itself, with the message around it. */
export interface FlowOrder {
  readonly mode: 'flow'
  /** Our id. */
  readonly flowId: string
  readonly text: string
  /** Label of the button. */
  readonly cta: string
  readonly header: string | null
  readonly footer: string | null
  /** Null: as upstream does it. */
  readonly action: FlowAction | null
  readonly screen: string | null
  readonly data: Fields | null
  /** Null: one is made. */
  readonly token: string | null
}

/** What is ordered, a member a mode with its fields alone. Media are named by an http(s) URL or a data URI. */
export type OrderedContent = PlainContent<string> | TemplateOrder | FlowOrder

/** A message that somebody wants sent (contract 4), read and found right: whoever has one need not look again. */
export interface SendOrder {
  readonly to: Destination
  readonly content: OrderedContent
  /** Service id or upstream id. */
  readonly quotedMessageId: string | null
  /** Not before; null, or in the past: now. */
  readonly deliverAt: Date | null
  /** Not after. */
  readonly deliverUntil: Date | null
  /** Null: the id of the message. */
  readonly correlationId: string | null
}
