import type { CallSockets } from '../realtime/call-sockets.ts'
import type { Session } from '../realtime/session.ts'

/**
 * Hands a call from one talking session to another and back ([realtime.takeover.2]). Whoever has it no more goes on as
 * a listener, and what waits in the queue is dropped each time.
 */
export class Handover {
  readonly #sockets: CallSockets
  readonly #clear: () => void
  /** Those whom the call was taken over from, the latest last. */
  #before: Session[] = []

  constructor(sockets: CallSockets, clear: () => void) {
    this.#sockets = sockets
    this.#clear = clear
  }

  /** Adds a session, as what it is. */
  join(session: Session): void {
    const { talker } = this.#sockets
    if (session.takesOver) return this.#take(session)
    if (!session.isDialled || session.mode === 'listen' || !talker?.takesOver) return this.#sockets.join(session)
    // A bot whose server was dialled before does not interrupt the person; it gets the call back last.
    session.mode = 'listen'
    this.#before = [session, ...this.#before]
    this.#sockets.join(session)
    session.tell({ type: 'takeover', by: 'person', sessionId: talker.id })
  }

  /** The session takes the call over; without one that talks it only joins. */
  #take(session: Session): void {
    const former = this.#sockets.talker
    if (former) {
      // Marks and files are told to the one whose they are.
      this.#clear()
      this.#before = [...this.#listening(), former]
    }
    this.#sockets.takeOver(session)
    former?.tell({ type: 'takeover', by: 'person', sessionId: session.id })
  }

  /** Gives the call back, and answers who has it now; null when nobody is left whom it came from. */
  giveBack(): Session | null {
    const [session, ...earlier] = this.#listening().toReversed()
    if (!session) return null
    this.#before = earlier.toReversed()
    this.#clear()
    const former = this.#sockets.talker
    session.mode = 'talk'
    this.#sockets.takeOver(session)
    for (const one of [session, former]) one?.tell({ type: 'takeover', by: 'bot' })
    return session
  }

  /** Those of them whose sockets are still open, and who do not talk. */
  #listening(): Session[] {
    const open = this.#sockets.all()
    return this.#before.filter((session) => open.includes(session) && session !== this.#sockets.talker)
  }
}
