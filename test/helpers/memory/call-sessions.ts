import type { CallId } from '../../../src/domain/ids.ts'
import type { RealtimeSessionState } from '../../../src/domain/realtime-session.ts'
import type { CallSessionStore } from '../../../src/ports/stores/call-session-store.ts'

/** Realtime sessions in memory. */
export class MemoryCallSessions implements CallSessionStore {
  readonly #all = new Map<string, { readonly callId: CallId; readonly session: RealtimeSessionState }>()

  async save(callId: CallId, session: RealtimeSessionState): Promise<void> {
    const known = this.#all.get(session.id)
    if (known && (known.session.closedAtMs !== null || known.callId !== callId)) return
    this.#all.set(session.id, { callId, session })
  }

  async list(callId: CallId, limit: number): Promise<readonly RealtimeSessionState[]> {
    const own = [...this.#all.values()].filter((one) => one.callId === callId).map(({ session }) => session)
    return own.toSorted((a, b) => (a.id < b.id ? 1 : -1)).slice(0, limit)
  }
}
