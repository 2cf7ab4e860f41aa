import type { RefusalCode } from './errors.ts'
import type { TemplateNature } from './template-keys.ts'
import type { TemplateBody, TemplateExamples, TemplateSource } from './template.ts'
import { REVIEWED, TEMPLATE_SOURCES } from './template.ts'

/** What the rules check, and the facts from outside that they need. */
export interface RuleSubject extends TemplateNature {
  readonly body: TemplateBody
  /** Components that stand beside the parts of the body. */
  readonly strays: readonly string[]
  readonly examples: TemplateExamples
  /** Gives the state of a Flow of the account by the service's id; null when the account has no such Flow. */
  flowStatusOf(flowId: string): string | null
  readonly hosts: CardHosts
  /** True when the service keeps the file at this address already. */
  isKept(url: string): boolean
}

/**
 * What is known of the host of an address before anything is fetched. `host` is written as `URL.hostname` writes it.
 */
export interface CardHosts {
  /** True when the installation lets the host through, http too ([configuration.variables.17]). */
  isAllowed(host: string): boolean
  /** True for an address that the guard would not reach. Names are looked up later. */
  isForbidden(host: string): boolean
}

/** One thing wrong with a template. */
export interface Finding {
  /** A dotted path from the body of the template; `examples` stands beside the body. */
  readonly field: string
  /** What to do about it, in a text that is shown to the caller. */
  readonly message: string
  /** The part of a rule that has several parts. */
  readonly problem?: string
  readonly max?: number
  readonly actual?: number
  /** The card, from 1. */
  readonly card?: number
  /** The type of button that there are too many of. */
  readonly type?: string
  readonly component?: string
  /** The keys without a sample. */
  readonly missing?: readonly string[]
  /** The code that upstream would have answered, where it is not the rule's. */
  readonly upstreamCode?: number
  readonly upstreamSubcode?: number
}

/** A row of the rule table ([templates.checks.5] to [templates.checks.25]). */
export interface TemplateRule {
  readonly code: RefusalCode & `TEMPLATE_${string}`
  /** The code that upstream would have answered; null when upstream knows no such rule. */
  readonly upstreamCode: number | null
  readonly upstreamSubcode?: number
  /** The sources whose templates the rule applies to. */
  readonly sources: readonly TemplateSource[]
  /** When the rule refuses, in words for the documentation. */
  readonly when: string
  find(subject: RuleSubject): readonly Finding[]
}

export const EVERY_SOURCE: readonly TemplateSource[] = TEMPLATE_SOURCES
export const REVIEWED_ONLY: readonly TemplateSource[] = [REVIEWED]

/** Makes the `card` of a finding; nothing outside of cards. */
export function inCard(card: number | null): { readonly card?: number } {
  return card === null ? {} : { card }
}
