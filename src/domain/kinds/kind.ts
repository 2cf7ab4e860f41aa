import type { Capabilities } from '../capabilities.ts'
import type { IdentityKind } from '../identity.ts'
import type { BUTTON_TYPES, MessageErrorCode } from '../message.ts'
import type { ProviderKind } from '../number.ts'
import type { TemplateSource } from '../template.ts'

type ButtonType = (typeof BUTTON_TYPES)[number]

/** All that differs between kinds of numbers. No other code asks which kind a number is; see `kinds.ts`. */
export interface KindOfNumber {
  /** The kind's name in rows, requests, answers and texts for people. */
  readonly name: ProviderKind
  readonly can: Capabilities
  /**
   * The number belongs to an account upstream: it has credentials of that account, a state that upstream can be asked
   * for, and marks that upstream's refusals leave.
   */
  readonly hasAccount: boolean
  /**
   * Its session holds nothing upstream: news comes by webhook. So the number may leave memory while it is connected,
   * and nodes do not count it when they share out numbers.
   */
  readonly isStateless: boolean
  /** What people may be addressed by. */
  readonly knows: readonly IdentityKind[]
  /** How long a contact's message lets free texts through, in ms; null when they may always be sent. */
  readonly windowMs: number | null
  readonly sends: SendFacts
  readonly buttons: ButtonFacts
  readonly media: MediaFacts
  readonly templates: TemplateFacts
}

/** A limit of `atOnce` sends at once, then one each `everyMs`. 0 or Infinity in either place means no limit. */
export interface Pace {
  readonly atOnce: number
  readonly everyMs: number
}

/** The limits of how fast a number may send. */
export interface Paces {
  /** The limit of all messages of a number together. */
  readonly number: Pace
  /** The limit of messages to one recipient. */
  readonly pair: Pace
}

/** How numbers of the kind send. */
export interface SendFacts extends Paces {
  /**
   * Upstream knows a message that it took by the service's id, so one in doubt is sent again. Without that, a status
   * has to name the message first.
   */
  readonly isDeduplicated: boolean
  /** The code of a message that was throttled too often; null for the code of the last refusal. */
  readonly throttledCode: MessageErrorCode | null
}

/** Rules of buttons and cards in messages that are no templates. */
export interface ButtonFacts {
  /** Characters of a label at most; null for what the form of a send lets through. */
  readonly labelLength: number | null
  /** Characters of the text above buttons at most; null for those of any text. */
  readonly textLength: number | null
  /** Buttons of every type may stand together; otherwise 1 to 3 QUICK_REPLY or exactly one URL. */
  readonly areMixed: boolean
  /** The types that the buttons of a card may have. */
  readonly cardTypes: readonly ButtonType[]
  /** What all cards of a carousel must have in common to be shown side by side; null when nothing. */
  readonly cardsAlike: { readonly lineBreaks: number } | null
}

/** Whether a video of a type is made anew in any case, only where it does not fit, or never. */
export type VideoWork = 'always' | 'unless-fit' | 'never'

/** Rules of the files that it sends. */
export interface MediaFacts {
  /** Pictures in WebP may be sent as such. */
  readonly takesWebp: boolean
  /** Pictures are made RGB before they are sent: upstream shows no others. */
  readonly isRgbOnly: boolean
  /** What is done with a video, by its type. Other types cannot be sent. */
  readonly videos: Readonly<Record<string, VideoWork>>
  /** The same types in words for people. */
  readonly videoTypes: string
  /** Bytes of a video before it is made anew, at most; null when none is made anew. */
  readonly convertibleBytes: number | null
  /** A video may be sent as document. */
  readonly takesVideoDocuments: boolean
  /** The code of a message whose file is over its ceiling. */
  readonly tooLargeCode: MessageErrorCode
}

/** Rules of its templates. */
export interface TemplateFacts {
  /** Who owns them: the account, whose numbers share them, or each number. */
  readonly owner: 'ACCOUNT' | 'NUMBER'
  /** The source of templates that are made for it. */
  readonly source: TemplateSource
}
