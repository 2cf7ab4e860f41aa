import type { RefusalCode } from './errors.ts'
import type { TemplateNature } from './template-keys.ts'
import type { TemplateBody, TemplateExamples, TemplateSource } from './template.ts'
import { REVIEWED, TEMPLATE_SOURCES } from './template.ts'

/** What the rules look at, and what they must be told from outside. */
export interface RuleSubject extends TemplateNature {
  readonly body: TemplateBody
  /** Components that stand beside the parts of the body. */
  readonly strays: readonly string[]
  readonly examples: TemplateExamples
  /** State of a Flow of the account by our id; null when the account has none such. */
  flowStatusOf(flowId: string): string | null
  readonly hosts: CardHosts
  /** The file at this address is kept by the service already. */
  isKept(url: string): boolean
}

/**
 * What is known of the host of an address before anything is fetched; `host` is that of a URL, as `URL.hostname` shows
 * it.
 */
export interface CardHosts {
  /** The installation lets it through, http too (contract 1, EGRESS_ALLOW). */
  isAllowed(host: string): boolean
  /** An address that the guard would not reach. Names are looked up later. */
  isForbidden(host: string): boolean
}

/** One thing wrong with a template. */
export interface Finding {
  /** Dotted, from the body of the template; `examples` beside it. */
  readonly field: string
  /** What to do about it, shown to the caller. */
  readonly message: string
  /** Which part of a rule with several. */
  readonly problem?: string
  readonly max?: number
  readonly actual?: number
  /** From 1. */
  readonly card?: number
  /** Type of a button, of a rule about many. */
  readonly type?: string
  readonly component?: string
  /** Keys. */
  readonly missing?: readonly string[]
  /** What upstream would have answered, where that is not the rule's. */
  readonly upstreamCode?: number
  readonly upstreamSubcode?: number
}

/** A row of the rule table (contract 10). */
export interface TemplateRule {
  readonly code: RefusalCode & `TEMPLATE_${string}`
  /** What upstream would have answered; null where the rule is ours alone. */
  readonly upstreamCode: number | null
  readonly upstreamSubcode?: number
  /** Where templates come from that are held to it. */
  readonly sources: readonly TemplateSource[]
  /** When it refuses, for the documentation. */
  readonly when: string
  find(subject: RuleSubject): readonly Finding[]
}

export const EVERY_SOURCE: readonly TemplateSource[] = TEMPLATE_SOURCES
export const REVIEWED_ONLY: readonly TemplateSource[] = [REVIEWED]

/** `card` of a finding, where there is one. */
export function inCard(card: number | null): { readonly card?: number } {
  return card === null ? {} : { card }
}
