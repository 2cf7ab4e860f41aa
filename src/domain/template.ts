import type { TemplateId } from './ids.ts'

/** Fixed at creation ([templates.object.2]). OTP is upstream's AUTHENTICATION ([templates.language.3]). */
export const TEMPLATE_CATEGORIES = ['MARKETING', 'UTILITY', 'OTP'] as const
export type TemplateCategory = (typeof TEMPLATE_CATEGORIES)[number]

/**
 * Where a template lives ([templates.object.3]). OFFICIAL: upstream has it and reviews it. LOCAL: only its number has
 * it.
 */
export const TEMPLATE_SOURCES = ['OFFICIAL', 'LOCAL'] as const
export type TemplateSource = (typeof TEMPLATE_SOURCES)[number]

/** The source of templates that upstream has. */
export const REVIEWED = 'OFFICIAL' satisfies TemplateSource

/** True when upstream has the template: it must follow upstream's rules, and has a state there. */
export function isReviewed({ source }: { readonly source: TemplateSource }): boolean {
  return source === REVIEWED
}

/** A template's status upstream ([templates.object.4]); it is null when there is no upstream. */
export const TEMPLATE_STATUSES = ['APPROVED', 'PENDING', 'REJECTED', 'DISABLED'] as const
export type TemplateStatus = (typeof TEMPLATE_STATUSES)[number]

export const TEMPLATE_QUALITIES = ['GREEN', 'YELLOW', 'RED', 'UNKNOWN'] as const
export type TemplateQuality = (typeof TEMPLATE_QUALITIES)[number]

/** How upstream names variables: by their place in a text, or by a name. */
export type ParameterFormat = 'POSITIONAL' | 'NAMED'

export const MEDIA_HEADERS = ['IMAGE', 'VIDEO', 'DOCUMENT'] as const
export type MediaHeader = (typeof MEDIA_HEADERS)[number]
/** Types of headers ([templates.body.5]). */
export const TEMPLATE_HEADERS = ['NONE', 'TEXT', ...MEDIA_HEADERS] as const

/**
 * Types of buttons ([templates.body.10] to [templates.body.16]). ORDER_DETAILS can be built, previewed and saved, not
 * sent ([templates.special-buttons.5]).
 */
export const TEMPLATE_BUTTONS = [
  'QUICK_REPLY',
  'URL',
  'PHONE_NUMBER',
  'COPY_CODE',
  'PAYMENT_REQUEST',
  'FLOW',
  'ORDER_DETAILS',
] as const
export type TemplateButtonType = (typeof TEMPLATE_BUTTONS)[number]

/**
 * The `type` of a part may be any text: a caller may ask for a type, and upstream may show one, that the service does
 * not know. It is kept by its name until the rules or the list of unsupported parts name it.
 */
export interface TemplateHeader {
  /** One of TEMPLATE_HEADERS, or an unknown type, in upper case. */
  readonly type: string
  /** The text of a TEXT header. */
  readonly text?: string
  /** The address of the sample of a media header. */
  readonly url?: string
  /** The sample of a media header as a data URI; reads show a `url` instead. */
  readonly base64?: string
}

export interface TemplateText {
  readonly text: string
  /** For OTP on OFFICIAL numbers, where upstream writes the text; absent means true. */
  readonly addSecurityRecommendation?: boolean
}

export interface TemplateFooter {
  readonly text?: string
  /** For OTP on OFFICIAL numbers: upstream writes how long the code is valid. */
  readonly codeExpirationMinutes?: number
}

export interface TemplateButton {
  /** One of TEMPLATE_BUTTONS, or an unknown type, in upper case. */
  readonly type: string
  /** The label. */
  readonly text?: string
  /** The address of a URL button; its variable stands at the end. */
  readonly url?: string
  /** The number of a PHONE_NUMBER button, as it was given. */
  readonly phone_number?: string
  /** The example of COPY_CODE and PAYMENT_REQUEST: one code, or one variable. */
  readonly example?: readonly string[]
  /** The service's id of the Flow of a FLOW button. */
  readonly flowId?: string
  readonly action?: string
  readonly screen?: string
}

export interface TemplateCard {
  readonly media: { readonly url: string }
  readonly body: { readonly text: string } | null
  readonly buttons: readonly TemplateButton[]
}

/** A template's body in its canonical form: reads give it, and PUT takes it back unchanged ([templates.body.3]). */
export interface TemplateBody {
  readonly header: TemplateHeader
  /** Null for a template without a text, which only upstream can have. */
  readonly body: TemplateText | null
  readonly footer: TemplateFooter | null
  readonly buttons: readonly TemplateButton[]
  readonly carousel: { readonly cards: readonly TemplateCard[] } | null
}

/** The keys of the variables of one text, in the order in which upstream takes them. */
export type ParameterKeys = readonly string[]

/**
 * What upstream is sent for the texts of a template, known once it was submitted or imported. It differs from the order
 * of the variables: the service's may stand twice, and upstream's may be shown out of order. Buttons take one value
 * each and need no list.
 */
export interface TemplateParameters {
  readonly format: ParameterFormat
  readonly header: ParameterKeys
  readonly body: ParameterKeys
  /** The keys of the cards' bodies. */
  readonly cards: readonly ParameterKeys[]
}

/** Samples of variables, as they were given. */
export type TemplateExamples = Readonly<Record<string, string | number>>

/** A template as it is stored and read ([templates.object.1]). */
export interface Template {
  readonly id: TemplateId
  readonly name: string
  readonly category: TemplateCategory
  /** In the form `pt_BR`. */
  readonly language: string
  readonly source: TemplateSource
  readonly officialStatus: TemplateStatus | null
  readonly officialLanguage: string | null
  readonly sendable: boolean
  /** Every key that a send gives, each once, in the order header, body, buttons, cards ([templates.variables.4]). */
  readonly variables: readonly string[]
  readonly body: TemplateBody
  readonly examples: TemplateExamples
  /** Upstream's id: digits beyond 2^53, so always a text ([templates.object.9]). */
  readonly externalId: string | null
  /** Upstream's own word ([templates.status.1]). */
  readonly upstreamStatus: string | null
  readonly statusReason: string | null
  readonly statusDescription: string | null
  readonly quality: TemplateQuality | null
  readonly requestedCategory: TemplateCategory | null
  readonly correctCategory: TemplateCategory | null
  /** Names of parts that upstream shows and the service cannot send. */
  readonly unsupported: readonly string[]
  /** Null until upstream took it. */
  readonly submittedAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** True when a text is one of a closed list. */
export function isOneOf<T extends string>(list: readonly T[], text: unknown): text is T {
  return (list as readonly unknown[]).includes(text)
}

/** True when a header is a file. */
export function isMediaHeader(type: string): type is MediaHeader {
  return isOneOf(MEDIA_HEADERS, type)
}
