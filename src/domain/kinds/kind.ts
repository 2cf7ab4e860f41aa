import type { Capabilities } from '../capabilities.ts'
import type { BUTTON_TYPES, MessageErrorCode } from '../message.ts'
import type { ProviderKind } from '../number.ts'
import type { TemplateSource } from '../template.ts'

type ButtonType = (typeof BUTTON_TYPES)[number]

/** All that differs between kinds of numbers. Nothing else asks which kind a number is; see `kinds.ts`. */
export interface KindOfNumber {
  /** As rows, requests, answers and texts for people name it. */
  readonly name: ProviderKind
  readonly can: Capabilities
  /**
   * It is one of an account upstream: it has credentials of it, a state that upstream can be asked for, and marks that
   * upstream's refusals leave.
   */
  readonly hasAccount: boolean
  /**
   * Its session holds nothing upstream: what happens comes by webhook, so the number may leave memory while it is
   * connected, and is no load that nodes share out.
   */
  readonly isStateless: boolean
  /** Upstream has ids of users who may hide their number; else people are known by their phone number alone. */
  readonly knowsUserIds: boolean
  /** How long a contact's message lets free texts through, in ms; null: they may always be sent. */
  readonly windowMs: number | null
  readonly sends: SendFacts
  readonly buttons: ButtonFacts
  readonly media: MediaFacts
  readonly templates: TemplateFacts
}

/** So many at once, then one each `everyMs`. 0 or Infinity in either place, as it takes no other sense, is no limit. */
export interface Pace {
  readonly atOnce: number
  readonly everyMs: number
}

/** How fast it may send. */
export interface Paces {
  /** All messages of a number together. */
  readonly number: Pace
  /** Those to one recipient. */
  readonly pair: Pace
}

/** How it sends. */
export interface SendFacts extends Paces {
  /**
   * Upstream knows a message it took by our id, so that one in doubt is sent again; else a status has to name it first.
   */
  readonly isDeduplicated: boolean
  /** Why a message failed that was throttled too often; null: for what was said the last time. */
  readonly throttledCode: MessageErrorCode | null
}

/** Buttons and cards of messages that are no templates. */
export interface ButtonFacts {
  /** Characters of a label at most; null: what the form of a send lets through. */
  readonly labelLength: number | null
  /** Characters of the text above buttons at most; null: those of any text. */
  readonly textLength: number | null
  /** Buttons of every type may stand together; else 1 to 3 QUICK_REPLY or exactly one URL. */
  readonly areMixed: boolean
  /** What the buttons of a card may be. */
  readonly cardTypes: readonly ButtonType[]
  /** What all cards of a carousel have to be, in order to be shown side by side; null: they may be as they like. */
  readonly cardsAlike: { readonly lineBreaks: number } | null
}

/** A video of a type is made anew in any case, where it does not fit, or never. */
export type VideoWork = 'always' | 'unless-fit' | 'never'

/** Files it sends. */
export interface MediaFacts {
  /** Pictures in WebP may be sent as such. */
  readonly takesWebp: boolean
  /** Pictures are made RGB before they are sent: upstream shows no others. */
  readonly isRgbOnly: boolean
  /** By type. Those of others cannot be sent. */
  readonly videos: Readonly<Record<string, VideoWork>>
  /** Those types, for people. */
  readonly videoTypes: string
  /** Bytes of a video that is made anew, before; null: there is none. */
  readonly convertibleBytes: number | null
  /** A video may be sent as document. */
  readonly takesVideoDocuments: boolean
  /** Why a message failed whose file is over its ceiling. */
  readonly tooLargeCode: MessageErrorCode
}

/** Its templates. */
export interface TemplateFacts {
  /** Whose they are: all numbers of an account have the same ones, or each its own. */
  readonly owner: 'ACCOUNT' | 'NUMBER'
  /** Of those that are made for it. */
  readonly source: TemplateSource
}
