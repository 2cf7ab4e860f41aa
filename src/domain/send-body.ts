import type { FlowAction } from './flow.ts'
import type { Fields } from './json-fields.ts'
import type { BUTTON_TYPES } from './message.ts'

/** Upstream's limit of the body of an interactive message. */
export const INTERACTIVE_TEXT_LENGTH = 1_024
/** Upstream's limit of its header and of its footer. */
export const AROUND_LENGTH = 60
/** Upstream takes labels of 20 characters in messages that are no templates. */
export const OFFICIAL_LABEL_LENGTH = 20
/** Our choice: 2048 characters, the length browsers and proxies agree on. */
export const URL_LENGTH = 2_048

export type Maybe<T> = T | null | undefined

/** A button as a body writes it, with the fields of all four types. Templates use `phone_number` and `example`. */
export interface ButtonBody {
  readonly type: (typeof BUTTON_TYPES)[number]
  readonly text: string
  readonly id?: Maybe<string>
  readonly url?: Maybe<string>
  readonly phoneNumber?: Maybe<string>
  readonly phone_number?: Maybe<string>
  readonly code?: Maybe<string>
  readonly example?: Maybe<string | readonly string[]>
}

export interface CarouselBody {
  readonly text: string
  readonly cards: readonly {
    /** http(s) URL or data URI. */
    readonly image: string
    readonly text: string
    readonly buttons?: Maybe<readonly ButtonBody[]>
  }[]
}

/** One card of a template's carousel, as a send fills it in. */
export interface TemplateCardBody {
  /** The card's own media, in place of the template's. */
  readonly media?: Maybe<{ readonly url: string }>
  /** Keys without the prefix of the card; they win over those of the send. */
  readonly variables?: Maybe<Fields>
  /** The buttons repeated, so that the sender can be sure of the template. */
  readonly buttons?: Maybe<readonly { readonly type: string }[]>
}

/** A Flow as a body writes it: `data` and `token` alone for a template's Flow, else with the message around it. */
export interface FlowBody {
  readonly flowId?: Maybe<string>
  readonly text?: Maybe<string>
  readonly cta?: Maybe<string>
  readonly header?: Maybe<string>
  readonly footer?: Maybe<string>
  readonly action?: Maybe<FlowAction>
  readonly screen?: Maybe<string>
  readonly data?: Maybe<Fields>
  readonly token?: Maybe<string>
}
