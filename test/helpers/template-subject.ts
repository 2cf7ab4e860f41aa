import { readTemplateBody } from '../../src/domain/template-form.ts'
import type { CardHosts, RuleSubject } from '../../src/domain/template-rule.ts'
import { templateFaults } from '../../src/domain/template-rules.ts'
import type { TemplateFault } from '../../src/domain/template-rules.ts'

/** Hosts of a usual installation: names pass, one address does not. */
export const HOSTS: CardHosts = {
  isAllowed: (host) => host === 'files.internal',
  isForbidden: (host) => host === '10.0.0.1' || host === 'files.internal',
}

/** The input of the rules, of a body in any of its forms. */
export function subjectOf(given: unknown, facts: Partial<RuleSubject> = {}): RuleSubject {
  const { body, strays } = readTemplateBody(given)
  return {
    source: 'OFFICIAL',
    category: 'MARKETING',
    body,
    strays,
    examples: {},
    hosts: HOSTS,
    isKept: () => false,
    flowStatusOf: () => null,
    ...facts,
  }
}

/** The faults of a body, by default on OFFICIAL in category MARKETING. */
export function faultsIn(given: unknown, facts: Partial<RuleSubject> = {}): TemplateFault[] {
  return templateFaults(subjectOf(given, facts))
}

/** The codes of the faults, with the problem when a rule has several. */
export function codesIn(given: unknown, facts: Partial<RuleSubject> = {}): string[] {
  return faultsIn(given, facts).map(({ code, problem }) => (problem === undefined ? code : `${code} ${problem}`))
}

/** A valid card. */
export function card(over: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    media: { url: 'https://cdn.shop.io/a.png' },
    body: { text: 'Shoes' },
    buttons: [{ type: 'QUICK_REPLY', text: 'Yes' }],
    ...over,
  }
}
