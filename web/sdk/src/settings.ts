import { ChannelError } from './error.ts'
import { say } from './console.ts'
import { watchPolicy } from './policy.ts'
import type { InitOptions } from './types.ts'

export type Surface = 'chat' | 'connect'

/** The settings of the page for all its mounts. */
export const settings: InitOptions = {}

/** Implements `Channel.init`; settings that are left out stay as they were. */
export function init(options?: InitOptions): void {
  Object.assign(settings, options)
  say.isDebugging = settings.debug === true
}

/** The discovery answers of services by address: each service is asked once. */
const known = new Map<string, Record<string, unknown>>()

/** The base address of a surface's documents, without a slash at its end. Rejects with a ChannelError. */
export async function addressOf(surface: Surface): Promise<string> {
  const name = `${surface}Url` as const
  const address = settings[name] ?? (await askService())[name]
  if (typeof address !== 'string')
    throw new ChannelError('NETWORK', `No ${name} is known`, 'Give it, or baseUrl, to Channel.init.')
  return withoutSlash(address)
}

async function askService(): Promise<Record<string, unknown>> {
  const { baseUrl } = settings
  if (!baseUrl) return {}
  const said = known.get(baseUrl) ?? (await askJson(`${withoutSlash(baseUrl)}/embed/config.json`))
  known.set(baseUrl, said)
  return said
}

/**
 * Reads a JSON object from the service. Rejects with NETWORK, also after 5 s (our choice), or with HOST_CSP when the
 * page's policy forbids the request.
 */
export async function askJson(url: string): Promise<Record<string, unknown>> {
  const { origin } = new URL(url)
  const policy = watchPolicy('connect-src', origin)
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(5_000) })
    return (await response.json()) as Record<string, unknown>
  } catch {
    throw (
      (await policy.broken())
      ?? new ChannelError(
        'NETWORK',
        `${origin} cannot be reached`,
        'Is it the address of the service, by https like this page, and up?',
      )
    )
  } finally {
    policy.end()
  }
}

function withoutSlash(address: string): string {
  return address.replace(/\/+$/, '')
}
