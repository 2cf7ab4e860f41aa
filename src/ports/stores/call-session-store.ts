import type { CallId } from '../../domain/ids.ts'
import type { RealtimeSessionState } from '../../domain/realtime-session.ts'

/** Realtime sessions of calls. Whoever reads them has found the call before. */
export interface CallSessionStore {
  /** Stores how a session stands; nothing once it is over, or when there is no such call. */
  save(callId: CallId, session: RealtimeSessionState): Promise<void>
  /** Lists the sessions of a call, the newest first. */
  list(callId: CallId, limit: number): Promise<readonly RealtimeSessionState[]>
}
