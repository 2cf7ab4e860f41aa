import { succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import { newId, type RealtimeSessionId } from '../../domain/ids.ts'
import type { SessionToDial } from '../../ports/media.ts'
import { askLive } from './ask.ts'
import type { CallName } from './ask.ts'
import type { CallPorts } from './ports.ts'

/**
 * Has the media host of a live call dial the tenant's server ([voice.connect-to.1]); answers the session's id at once.
 * Refusals: those of askLive, VALIDATION, MEDIA_URL_FORBIDDEN, MEDIA_CAPACITY.
 */
export async function dialSession(
  ports: CallPorts,
  name: CallName,
  wanted: Omit<SessionToDial, 'sessionId'>,
): Promise<Outcome<RealtimeSessionId>> {
  const session = { ...wanted, sessionId: newId('rts') }
  const dialled = await askLive(ports, name, ({ numberId, id }) =>
    ports.directory.askCall(numberId, id, 'DialSession', { session, trace: name.trace }),
  )
  return dialled.ok ? succeed(session.sessionId) : dialled
}
