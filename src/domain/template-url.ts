import { replacePlaceholders, scanText } from './template-placeholders.ts'

export type UrlProblem = 'FORM' | 'VARIABLE_IN_DOMAIN' | 'VARIABLE_COUNT' | 'VARIABLE_NOT_AT_END'

const SCHEME = /^https?:\/\//i
const WITHOUT_SPACES = /^https?:\/\/\S+$/i
/**
 * In UTF-16 units, two for each of the 2000 code points that a URL may have ([templates.checks.8]): a longer one is
 * refused for its length, and not looked at.
 */
const READ_LENGTH = 4_000
/** Replaces a variable wherever the text is read as a URL. */
const STAND_IN = 'x'

function plainOf(text: string): string {
  return replacePlaceholders(text, () => STAND_IN)
}

/** Finds the first `/` behind the host; the end of the text without one. */
function endOfHost(text: string): number {
  const slash = text.indexOf('/', SCHEME.exec(text)?.[0].length ?? 0)
  return slash < 0 ? text.length : slash
}

/**
 * Finds what is wrong with the URL of a button, which may end in one variable ([templates.body.11],
 * [templates.checks.16]). A text that is no URL has no other problem, and a variable in the domain is not also told to
 * stand at the end.
 */
export function urlProblems(text: string): UrlProblem[] {
  if (text.length > READ_LENGTH) return []
  const plain = plainOf(text)
  if (!WITHOUT_SPACES.test(plain)) return ['FORM']
  const { placeholders } = scanText(text)
  const [first] = placeholders
  const counted: UrlProblem[] = placeholders.length > 1 ? ['VARIABLE_COUNT'] : []
  // This is checked before the URL is read: with a word for the variable, `https://shop.{{1}}` or a port may be no URL.
  if (first !== undefined && first.start < endOfHost(text)) return ['VARIABLE_IN_DOMAIN', ...counted]
  if (!URL.canParse(plain)) return ['FORM']
  const isAtEnd = first === undefined || first.end === text.length
  return placeholders.length > 1 || isAtEnd ? counted : ['VARIABLE_NOT_AT_END']
}

/**
 * Domains reserved for documentation (RFC 2606, RFC 6761), and those that guides write in place of one's own
 * ([templates.checks.17]).
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

/** True when the URL of a button leads to a domain that is nobody's; false for a text that is no URL. */
export function isPlaceholderDomain(text: string): boolean {
  if (text.length > READ_LENGTH) return false
  const plain = plainOf(text)
  if (!SCHEME.test(plain) || !URL.canParse(plain)) return false
  const host = new URL(plain).hostname.replace(/\.$/, '')
  return PLACEHOLDER_DOMAINS.some((domain) => host === domain || host.endsWith(`.${domain}`))
}
