import type { TemplateId } from './ids.ts'

/** Fixed at creation. OTP is upstream's AUTHENTICATION. */
export const TEMPLATE_CATEGORIES = ['MARKETING', 'UTILITY', 'OTP'] as const
export type TemplateCategory = (typeof TEMPLATE_CATEGORIES)[number]

/** OFFICIAL: upstream has it and reviews it. LOCAL: of one number alone, known to nobody else. */
export const TEMPLATE_SOURCES = ['OFFICIAL', 'LOCAL'] as const
export type TemplateSource = (typeof TEMPLATE_SOURCES)[number]

/** The source of what upstream has. */
export const REVIEWED = 'OFFICIAL' satisfies TemplateSource

/** Whether upstream has the template: it is held to what upstream takes, and has a state there. */
export function isReviewed({ source }: { readonly source: TemplateSource }): boolean {
  return source === REVIEWED
}

/** Null where there is no upstream. */
export const TEMPLATE_STATUSES = ['APPROVED', 'PENDING', 'REJECTED', 'DISABLED'] as const
export type TemplateStatus = (typeof TEMPLATE_STATUSES)[number]

export const TEMPLATE_QUALITIES = ['GREEN', 'YELLOW', 'RED', 'UNKNOWN'] as const
export type TemplateQuality = (typeof TEMPLATE_QUALITIES)[number]

/** How upstream names what is filled in: by its place in a text, or by a name. */
export type ParameterFormat = 'POSITIONAL' | 'NAMED'

export const MEDIA_HEADERS = ['IMAGE', 'VIDEO', 'DOCUMENT'] as const
export type MediaHeader = (typeof MEDIA_HEADERS)[number]
/** spec: Template, header. */
export const TEMPLATE_HEADERS = ['NONE', 'TEXT', ...MEDIA_HEADERS] as const

/** spec: Template, buttons. ORDER_DETAILS can be built, previewed and saved, not sent (spec: Templates 10). */
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
 * Parts have a `type` that may be any text: what a caller asks for and what upstream shows can be something that the
 * service does not know, and is kept by its name until the rules or the list of what is unsupported name it.
 */
export interface TemplateHeader {
  /** One of TEMPLATE_HEADERS, or a type unknown to us. Upper case. */
  readonly type: string
  /** Of TEXT. */
  readonly text?: string
  /** Of media: where the sample is. */
  readonly url?: string
  /** Of media: the sample as a data URI; reads show a `url` instead. */
  readonly base64?: string
}

export interface TemplateText {
  readonly text: string
  /** Of OTP on OFFICIAL numbers, where upstream writes the text; absent is true. */
  readonly addSecurityRecommendation?: boolean
}

export interface TemplateFooter {
  readonly text?: string
  /** Of OTP on OFFICIAL numbers: upstream writes how long the code is good for. */
  readonly codeExpirationMinutes?: number
}

export interface TemplateButton {
  /** One of TEMPLATE_BUTTONS, or a type unknown to us. Upper case. */
  readonly type: string
  /** The label. */
  readonly text?: string
  /** Of URL: what is filled in stands at its end. */
  readonly url?: string
  /** Of PHONE_NUMBER, as it was given. */
  readonly phone_number?: string
  /** Of COPY_CODE and PAYMENT_REQUEST: one code, or one variable. */
  readonly example?: readonly string[]
  /** Of FLOW: our id. */
  readonly flowId?: string
  readonly action?: string
  readonly screen?: string
}

export interface TemplateCard {
  readonly media: { readonly url: string }
  readonly body: { readonly text: string } | null
  readonly buttons: readonly TemplateButton[]
}

/** The canonical form: what reads give and PUT takes back unchanged. */
export interface TemplateBody {
  readonly header: TemplateHeader
  /** Null: a template without a text, which only upstream can have. */
  readonly body: TemplateText | null
  readonly footer: TemplateFooter | null
  readonly buttons: readonly TemplateButton[]
  readonly carousel: { readonly cards: readonly TemplateCard[] } | null
}

/** Of one text, the keys of what is filled in, in the order in which upstream takes them. */
export type ParameterKeys = readonly string[]

/**
 * What upstream is sent for the texts of a template: known once it was submitted or imported, and unlike the order of
 * the variables, as ours may stand twice and upstream's may be shown out of order. Buttons take one each and need no
 * list.
 */
export interface TemplateParameters {
  readonly format: ParameterFormat
  readonly header: ParameterKeys
  readonly body: ParameterKeys
  /** Of the bodies of the cards. */
  readonly cards: readonly ParameterKeys[]
}

/** Samples of variables, as they were given. */
export type TemplateExamples = Readonly<Record<string, string | number>>

/** A template as it is stored and read (spec: Template; contract 10). */
export interface Template {
  readonly id: TemplateId
  readonly name: string
  readonly category: TemplateCategory
  /** `pt_BR` form. */
  readonly language: string
  readonly source: TemplateSource
  readonly officialStatus: TemplateStatus | null
  readonly officialLanguage: string | null
  readonly sendable: boolean
  /** Every key that a send gives, each once: header, body, buttons, cards. */
  readonly variables: readonly string[]
  readonly body: TemplateBody
  readonly examples: TemplateExamples
  /** Upstream's id: digits beyond 2^53, so a text always. */
  readonly externalId: string | null
  /** Upstream's own word. */
  readonly upstreamStatus: string | null
  readonly statusReason: string | null
  readonly statusDescription: string | null
  readonly quality: TemplateQuality | null
  readonly requestedCategory: TemplateCategory | null
  readonly correctCategory: TemplateCategory | null
  /** Names of what upstream shows and the service cannot send. */
  readonly unsupported: readonly string[]
  /** Null until upstream took it. */
  readonly submittedAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** Whether a text is one of a closed list. */
export function isOneOf<T extends string>(list: readonly T[], text: unknown): text is T {
  return (list as readonly unknown[]).includes(text)
}

/** Whether a header is a file. */
export function isMediaHeader(type: string): type is MediaHeader {
  return isOneOf(MEDIA_HEADERS, type)
}
