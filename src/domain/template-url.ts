import { replacePlaceholders, scanText } from './template-placeholders.ts'

export type UrlProblem = 'FORM' | 'VARIABLE_IN_DOMAIN' | 'VARIABLE_COUNT' | 'VARIABLE_NOT_AT_END'

const SCHEME = /^https?:\/\//i
const WITHOUT_SPACES = /^https?:\/\/\S+$/i
/**
 * In UTF-16 units, of which 2000 code points (contract 10) have no more: a longer one is refused for its length, and
 * not looked at.
 */
const READ_LENGTH = 4_000
/** Stands for a variable wherever a URL must be one to be looked at. */
const STAND_IN = 'x'

function plainOf(text: string): string {
  return replacePlaceholders(text, () => STAND_IN)
}

/** Where the first `/` behind the host stands; the end without one. */
function endOfHost(text: string): number {
  const slash = text.indexOf('/', SCHEME.exec(text)?.[0].length ?? 0)
  return slash < 0 ? text.length : slash
}

/**
 * What is wrong with the URL of a button, which may end in one variable (spec: Template; contract 10). One that is no
 * URL has no other problem, and a variable in the domain is not also told to stand at the end.
 */
export function urlProblems(text: string): UrlProblem[] {
  if (text.length > READ_LENGTH) return []
  const plain = plainOf(text)
  if (!WITHOUT_SPACES.test(plain)) return ['FORM']
  const { placeholders } = scanText(text)
  const [first] = placeholders
  const counted: UrlProblem[] = placeholders.length > 1 ? ['VARIABLE_COUNT'] : []
  // Said before the URL is read: with a word for the variable, `https://shop.{{1}}` or a port may be none.
  if (first !== undefined && first.start < endOfHost(text)) return ['VARIABLE_IN_DOMAIN', ...counted]
  if (!URL.canParse(plain)) return ['FORM']
  const isAtEnd = first === undefined || first.end === text.length
  return placeholders.length > 1 || isAtEnd ? counted : ['VARIABLE_NOT_AT_END']
}

/**
 * Reserved for documentation (RFC 2606, RFC 6761) and what guides write in place of a domain of one's own (contract
 * 10).
 */
const PLACEHOLDER_DOMAINS = [
  'example.com',
  'example.net',
  'example.org',
  'example',
  'test',
  'invalid',
  'localhost',
  'yourdomain.com',
  'yoursite.com',
  'yourwebsite.com',
]

/** Whether the URL of a button leads to a domain that is nobody's; false of what is no URL. */
export function isPlaceholderDomain(text: string): boolean {
  if (text.length > READ_LENGTH) return false
  const plain = plainOf(text)
  if (!SCHEME.test(plain) || !URL.canParse(plain)) return false
  const host = new URL(plain).hostname.replace(/\.$/, '')
  return PLACEHOLDER_DOMAINS.some((domain) => host === domain || host.endsWith(`.${domain}`))
}
