import { isSessionId, originsOf } from '../../domain/embed-session.ts'
import type { FoundLink } from '../../ports/stores/pairing-store.ts'
import type { EmbedPorts } from './ports.ts'

/**
 * Origins that may frame the pages of a link, whether it is over or not: those that the live connect sessions which
 * cover its number allow ([pages.headers.2]). None for a link that is unknown.
 */
export async function framersOfLink({ embedSessions }: EmbedPorts, link: FoundLink | null): Promise<readonly string[]> {
  return link === null ? [] : originsOf(await embedSessions.covering(link.tenantId, link.numberId))
}

/**
 * Origins that may frame the page of an embed session, by the session's public id. None when the session is over or
 * unknown.
 */
export async function framersOfSession({ embedSessions }: EmbedPorts, id: string): Promise<readonly string[]> {
  return isSessionId(id) ? ((await embedSessions.findLive(id))?.allowedOrigins ?? []) : []
}

/** The frame in question: of a session, by its id, or of a link, by its handle. */
export type AskedFrame = { readonly sessionId: string } | { readonly handle: string }

export interface Diagnosis {
  readonly ok: boolean
  readonly reason: null | 'ORIGIN_NOT_ALLOWED' | 'SESSION_NOT_LIVE'
  /** What to do about it; null when nothing is wrong. */
  readonly hint: string | null
}

/**
 * Says why a page of this origin cannot show a frame ([embeds.diagnose.1]). A session that is unknown is answered as
 * one that is over.
 */
export async function diagnose(ports: EmbedPorts, frame: AskedFrame, origin: string): Promise<Diagnosis> {
  const isSession = 'sessionId' in frame
  const framers = isSession
    ? await framersOfSession(ports, frame.sessionId)
    : await framersOfLink(ports, await ports.pairing.findByHandle(frame.handle))
  if (framers.includes(origin)) return { ok: true, reason: null, hint: null }
  if (framers.length > 0)
    return {
      ok: false,
      reason: 'ORIGIN_NOT_ALLOWED',
      hint: `Add ${JSON.stringify(origin)} to allowedOrigins where your server mints the session`,
    }
  const hint = isSession
    ? 'The session is over or was never there: mint a new one on your server'
    : 'No live session of surface connect covers the number of this link: mint one on your server before you open the link in a frame'
  return { ok: false, reason: 'SESSION_NOT_LIVE', hint }
}
