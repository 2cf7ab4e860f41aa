/** What the Content-Security-Policy of a host page must allow, and what one lacks (docs/embed.md). Pure. */
import type { Sdk } from './service.ts'

export interface PolicyLine {
  readonly directive: 'script-src' | 'connect-src' | 'frame-src'
  readonly origins: readonly string[]
}

/** The lines of a policy that the SDK needs, each origin once. */
export function neededLines({ script, chatUrl, connectUrl }: Sdk): readonly PolicyLine[] {
  const own = new URL(script.url).origin
  const [connect, chat] = [new URL(connectUrl).origin, new URL(chatUrl).origin]
  return [
    { directive: 'script-src', origins: [own] },
    { directive: 'connect-src', origins: [...new Set([own, connect, chat])] },
    { directive: 'frame-src', origins: [...new Set([connect, chat])] },
  ]
}

/** Where a policy that lacks a directive looks instead (CSP 3, 6.8.3). */
const FALLBACKS: Readonly<Record<PolicyLine['directive'], readonly string[]>> = {
  'script-src': ['script-src-elem', 'script-src', 'default-src'],
  'connect-src': ['connect-src', 'default-src'],
  'frame-src': ['frame-src', 'child-src', 'default-src'],
}

/**
 * The lines that a policy lacks. `policy` is the value of the header: several policies are separated by commas, and
 * each of them must allow. Empty when nothing is missing, also of a page without a policy.
 */
export function missingLines(policy: string, sdk: Sdk): readonly PolicyLine[] {
  const policies = policy.split(',').map(directivesOf)
  return neededLines(sdk).flatMap(({ directive, origins }) => {
    const path = directive === 'script-src' ? new URL(sdk.script.url).pathname : null
    const missing = origins.filter((origin) =>
      policies.some((directives) => {
        const sources = FALLBACKS[directive].map((name) => directives.get(name)).find((found) => found !== undefined)
        if (sources === undefined) return false
        if (path !== null && isTrusted(sources, sdk.script.integrity)) return false
        const isHostIgnored = path !== null && sources.includes("'strict-dynamic'")
        return isHostIgnored || !sources.some((source) => matches(source, origin, path))
      }),
    )
    return missing.length === 0 ? [] : [{ directive, origins: missing }]
  })
}

/** The directives of one policy by name: of a name given twice the first counts. */
function directivesOf(policy: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>()
  for (const directive of policy.replace(/^\s*content-security-policy\s*:/i, '').split(';')) {
    const [name = '', ...sources] = directive.trim().split(/\s+/)
    if (name !== '' && !found.has(name.toLowerCase())) found.set(name.toLowerCase(), sources)
  }
  return found
}

/** Whether a script is allowed by what stands on its tag: a nonce, which the page adds, or its integrity. */
function isTrusted(sources: readonly string[], integrity: string): boolean {
  return sources.some((source) => /^'nonce-.+'$/i.test(source) || source === `'${integrity}'`)
}

const HOST_SOURCE = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(\*|(?:\*\.)?[a-z0-9_.-]+)(?::(\d+|\*))?(\/.*)?$/

/**
 * Whether a source of a policy allows an origin (CSP 3, 6.7.2.8). With `path` that one path; without, all paths of it.
 */
function matches(source: string, origin: string, path: string | null): boolean {
  const url = new URL(origin)
  const text = source.toLowerCase()
  if (text === '*') return true
  if (/^[a-z][a-z0-9+.-]*:$/.test(text)) return isScheme(text, url.protocol)
  const [found, scheme, host = '', port, asked] = HOST_SOURCE.exec(text) ?? []
  if (found === undefined) return false
  if (scheme !== undefined && !isScheme(`${scheme}:`, url.protocol)) return false
  const isHost = host === '*' || (host.startsWith('*.') ? url.hostname.endsWith(host.slice(1)) : host === url.hostname)
  return isHost && isPort(port, url) && isPath(asked, path)
}

/** A source of http allows https too. */
function isScheme(allowed: string, protocol: string): boolean {
  return allowed === protocol || (allowed === 'http:' && protocol === 'https:')
}

/** A source without a port allows the usual one of the scheme. */
function isPort(allowed: string | undefined, { port, protocol }: URL): boolean {
  const usual = protocol === 'https:' ? '443' : '80'
  return allowed === '*' || (allowed ?? usual) === (port === '' ? usual : port)
}

function isPath(allowed: string | undefined, path: string | null): boolean {
  if (allowed === undefined || allowed === '/') return true
  if (path === null) return false
  return allowed.endsWith('/') ? path.startsWith(allowed) : path === allowed
}
