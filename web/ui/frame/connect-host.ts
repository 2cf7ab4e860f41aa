import { followEscape, followHeight } from './follow.ts'
import { isFramed, meetHost } from './handshake.ts'
import type { FrameHost } from './host.ts'
import { linkRefusal } from './link-refusal.ts'

/**
 * The page that frames a connect page as an embed; null where the page is no embed's document (those bring
 * `allowedOrigins`) or stands in no frame. `element` holds all that is drawn: the host's frame gets its height.
 */
export function connectHost(
  allowedOrigins: readonly string[] | undefined,
  element: Element,
): Promise<FrameHost> | null {
  if (allowedOrigins === undefined || !isFramed()) return null
  return meetHost({ surface: 'connect', allowedOrigins, refusalOf: linkRefusal }).then((host) => {
    followHeight(host, element)
    followEscape(host)
    return host
  })
}
