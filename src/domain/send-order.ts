import type { FlowAction } from './flow.ts'
import type { Fields } from './json-fields.ts'
import type { BUTTON_TYPES, MediaKind } from './message.ts'

/** Upstream's limit of the body of an interactive message. */
export const INTERACTIVE_TEXT_LENGTH = 1_024
/** Upstream takes 20 in messages that are no templates. */
export const OFFICIAL_LABEL_LENGTH = 20
/** Our choice: 2048 characters, the length browsers and proxies agree on. */
export const URL_LENGTH = 2_048

type Maybe<T> = T | null | undefined

/** A button as it is ordered: fields of the four kinds. `phone_number` and `example` are the names templates use. */
export interface ButtonOrder {
  readonly type: (typeof BUTTON_TYPES)[number]
  readonly text: string
  readonly id?: Maybe<string>
  readonly url?: Maybe<string>
  readonly phoneNumber?: Maybe<string>
  readonly phone_number?: Maybe<string>
  readonly code?: Maybe<string>
  readonly example?: Maybe<string | readonly string[]>
}

export interface CarouselOrder {
  readonly text: string
  readonly cards: readonly {
    /** http(s) URL or data URI. */
    readonly image: string
    readonly text: string
    readonly buttons?: Maybe<readonly ButtonOrder[]>
  }[]
}

/** One card of a template's carousel, as a send fills it in. */
export interface TemplateCardOrder {
  /** In place of the template's. */
  readonly media?: Maybe<{ readonly url: string }>
  /** Keys without the prefix of the card. */
  readonly variables?: Maybe<Fields>
  readonly buttons?: Maybe<readonly { readonly type: string }[]>
}

/** A Flow as a send orders it: of a template `data` and `token` alone, else with the message around it. */
export interface FlowOrder {
  /** Our id. */
  readonly flowId?: Maybe<string>
  readonly text?: Maybe<string>
  /** Label of the button. */
  readonly cta?: Maybe<string>
  readonly header?: Maybe<string>
  readonly footer?: Maybe<string>
  readonly action?: Maybe<FlowAction>
  readonly screen?: Maybe<string>
  readonly data?: Maybe<Fields>
  readonly token?: Maybe<string>
}

/**
 * A message that somebody wants sent, each field of the right form (contract 4). Null counts as absent; which go
 * together is said by the rules of sending.
 */
export interface SendOrder {
  /** Digits; on OFFICIAL numbers also upstream's id of a user who hides the number. */
  readonly destinationNumber?: Maybe<string>
  readonly groupId?: Maybe<string>
  readonly newsletterId?: Maybe<string>
  readonly text?: Maybe<string>
  readonly buttons?: Maybe<readonly ButtonOrder[]>
  readonly header?: Maybe<string>
  readonly footer?: Maybe<string>
  /** http(s) URL or data URI. */
  readonly media?: Maybe<string>
  readonly mediaType?: Maybe<MediaKind>
  readonly caption?: Maybe<string>
  readonly mediaFilename?: Maybe<string>
  readonly carousel?: Maybe<CarouselOrder>
  /** Id or name. */
  readonly templateId?: Maybe<string>
  /** Of a template, where languages share its name. */
  readonly language?: Maybe<string>
  readonly variables?: Maybe<Fields>
  readonly cards?: Maybe<readonly TemplateCardOrder[]>
  /** A mode of its own, or what a template with a Flow is sent with. */
  readonly flow?: Maybe<FlowOrder>
  /** Service id or upstream id. */
  readonly quotedMessageId?: Maybe<string>
  /** ISO 8601, both. */
  readonly deliverAt?: Maybe<string>
  readonly deliverUntil?: Maybe<string>
  readonly correlationId?: Maybe<string>
}
