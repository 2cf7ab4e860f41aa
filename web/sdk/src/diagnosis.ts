import { ChannelError } from './error.ts'
import { askJson } from './settings.ts'

/**
 * The error for a page that no session can allow: it is neither on https nor on a loopback host, or a sandbox hides its
 * origin.
 */
export function unallowable(): ChannelError {
  return new ChannelError(
    'ORIGIN_NOT_ALLOWED',
    'The origin of this page cannot be allowed',
    'Serve it by https, in no sandbox without allow-same-origin.',
  )
}

/**
 * Finds out why a frame sends no hello: some page around it is not allowed, or the session is over ([sdk.errors.4]).
 * `address` is the address of the embed; `name` names the session or link in its query.
 */
export async function causeOfSilence(address: string, name: string): Promise<ChannelError> {
  try {
    for (const origin of new Set([
      self.origin,
      ...((location as { readonly ancestorOrigins?: DOMStringList }).ancestorOrigins ?? []),
    ])) {
      if (origin === 'null') return unallowable()
      const { ok, reason } = await askJson(
        `${address}/api/public/embed/diagnose?${name}&origin=${encodeURIComponent(origin)}`,
      )
      if (reason === 'ORIGIN_NOT_ALLOWED')
        return new ChannelError(
          reason,
          `${origin} may not show this`,
          `Add ${origin} to the allowedOrigins of the embed session.`,
        )
      if (!ok)
        return new ChannelError(
          'SESSION_NOT_LIVE',
          'No live embed session stands behind this',
          'Make a new session or link on your backend.',
        )
    }
  } catch (error) {
    return error as ChannelError
  }
  return new ChannelError('TIMEOUT', 'The frame did not answer', 'Look for what blocks frames in browser or network.')
}
