import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome, Refusal } from '../../domain/errors.ts'
import type { ProviderKind } from '../../domain/number.ts'
import { canEmit, isSubscribable } from '../../domain/webhook.ts'
import type { SubscribedEvent } from '../../domain/webhook.ts'
import { hasCredentials, NO_CREDENTIALS } from '../../domain/web-address.ts'
import type { UrlCheck } from '../../ports/url-check.ts'

/**
 * The events that a list of names subscribes to on a number of this kind: each name once, without those that the kind
 * cannot emit ([webhooks.object.7]). An unknown name is refused ([webhooks.object.6]).
 */
export function subscription(names: readonly string[], kind: ProviderKind): Outcome<SubscribedEvent[]> {
  const unknown = names.flatMap((name, index) =>
    isSubscribable(name) ? [] : [{ path: `events.${index}`, message: 'is no event name' }],
  )
  if (unknown.length > 0)
    return fail(refuse('INVALID_EVENT', 'Invalid body: events holds a name that is no event', unknown))
  return succeed([...new Set(names.filter(isSubscribable))].filter((name) => canEmit(kind, name)))
}

/** The refusal that keeps webhooks from pointing to an address; null when one may. */
export async function urlRefusal(checkUrl: UrlCheck, url: string): Promise<Refusal | null> {
  const fault = await checkUrl(url)
  if (fault === null) return null
  const code = fault === 'forbidden' ? 'WEBHOOK_URL_FORBIDDEN' : 'VALIDATION'
  const message =
    fault === 'invalid'
      ? 'must be an http(s) URL'
      : hasCredentials(url)
        ? NO_CREDENTIALS
        : 'must lead to a public address and a port of the web'
  return refuse(code, `Invalid body: url: ${message}`, [{ path: 'url', message }])
}
