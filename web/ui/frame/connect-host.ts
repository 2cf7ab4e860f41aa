import { followEscape, followHeight } from './follow.ts'
import { isFramed, meetHost } from './handshake.ts'
import type { FrameHost } from './host.ts'
import { linkRefusal } from './link-refusal.ts'

/**
 * Connects to the host of a connect page that is an embed; null when the page is no embed's document (only those have
 * `allowedOrigins`) or is in no frame. `element` holds everything drawn; the host's frame follows its height.
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
