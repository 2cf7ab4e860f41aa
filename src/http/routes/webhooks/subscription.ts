import { RefusalError, refuse } from '../../../domain/errors.ts'
import type { ProviderKind } from '../../../domain/number.ts'
import { canEmit, isSubscribable } from '../../../domain/webhook.ts'
import type { SubscribedEvent } from '../../../domain/webhook.ts'
import type { UrlCheck } from '../../../ports/url-check.ts'

/**
 * The subscription a list of names makes on a number of this kind: each name once, without what the kind
 * cannot emit. An unknown name is refused (contract 5).
 */
export function subscription(names: readonly string[], kind: ProviderKind): SubscribedEvent[] {
  const unknown = names.flatMap((name, index) => (isSubscribable(name) ? [] : [{ path: `events.${index}`, message: 'is no event name' }]))
  if (unknown.length > 0) throw new RefusalError(refuse('INVALID_EVENT', 'Invalid body: events holds a name that is no event', unknown))
  return [...new Set(names.filter(isSubscribable))].filter((name) => canEmit(kind, name))
}

/** Refuses an address that no webhook may point to. */
export async function requireUsableUrl(checkUrl: UrlCheck, url: string): Promise<void> {
  const fault = await checkUrl(url)
  if (fault === null) return
  const code = fault === 'forbidden' ? 'WEBHOOK_URL_FORBIDDEN' : 'VALIDATION'
  const message = fault === 'forbidden' ? 'must lead to a public address and a port of the web' : 'must be an http(s) URL'
  throw new RefusalError(refuse(code, `Invalid body: url: ${message}`, [{ path: 'url', message }]))
}
