import { randomUUID } from 'node:crypto'
import type { SmallSession } from '../small-engine.ts'
import { FleetEngine, type MakeEngine } from '../small-fleet.ts'

/** A fleet that breaks the rules of a takeover in one way, with the check that must find it and the finding's text. */
export interface BrokenFleet {
  readonly what: string
  readonly make: MakeEngine
  readonly fails: string
  readonly seen: RegExp
}

export const BROKEN_FLEETS: readonly BrokenFleet[] = [
  {
    what: 'has two engines that both accept the number',
    make: (...parts) =>
      new (class extends FleetEngine {
        protected override heldBy(): null {
          return null
        }
      })(...parts),
    fails: 'takeover.refused',
    seen: /the socket was opened at ws:.*, while another engine holds the number/,
  },
  {
    what: 'does not say which engine holds the number',
    make: (...parts) =>
      new (class extends FleetEngine {
        protected override heldBy(): string {
          return '421 Misdirected Request\r\nretry-after: 1'
        }
      })(...parts),
    fails: 'takeover.refused',
    seen: /421 without engine-id at ws:/,
  },
  {
    what: 'does not say when the number could be free',
    make: (...parts) =>
      new (class extends FleetEngine {
        protected override heldBy({ engineId }: FleetEngine): string {
          return `421 Misdirected Request\r\nengine-id: ${engineId}`
        }
      })(...parts),
    fails: 'takeover.refused',
    seen: /421 without retry-after in seconds at ws:/,
  },
  {
    what: 'has the phone scan again after the death of an engine',
    make: (...parts) =>
      new (class extends FleetEngine {
        protected override start(session: SmallSession, credentials: unknown): void {
          super.start(session, this.isTaker ? null : credentials)
        }
      })(...parts),
    fails: 'takeover.open',
    seen: /a code to scan \(session\.qr\), although the session was paired/,
  },
  {
    what: 'repeats the OPEN of the dead engine and opens nothing',
    make: (...parts) =>
      new (class extends FleetEngine {
        protected override start(session: SmallSession, credentials: unknown): void {
          if (!this.isTaker) return super.start(session, credentials)
          session.isStarted = true
          this.repeat(session)
          this.emit(session, { ev: 'session.state', state: 'CLOSE', reason: 'network' })
        }
      })(...parts),
    fails: 'takeover.open',
    seen: /session\.state CLOSE, reason network/,
  },
  {
    what: 'forgets with an engine what nobody acknowledged',
    make: (...parts) =>
      new (class extends FleetEngine {
        protected override takeOver(session: SmallSession): void {
          super.takeOver(session)
          session.kept = []
        }
      })(...parts),
    fails: 'takeover.events',
    seen: /no message\.status again, which was not acknowledged \(seq \d+\) within/,
  },
  {
    what: 'counts anew after the death of an engine',
    make: (...parts) =>
      new (class extends FleetEngine {
        protected override takeOver(session: SmallSession): void {
          super.takeOver(session)
          session.seq = 0
        }
      })(...parts),
    fails: 'takeover.events',
    seen: /session\.state has seq 1, although \d+ was told before the engine died/,
  },
  {
    what: 'forgets with an engine what it sent',
    make: (...parts) =>
      new (class extends FleetEngine {
        protected override takeOver(session: SmallSession): void {
          super.takeOver(session)
          session.sent.clear()
        }
      })(...parts),
    fails: 'takeover.send',
    seen: /sent 2 times: /,
  },
  {
    what: 'answers as before and sends again after the death of an engine',
    make: (...parts) =>
      new (class extends FleetEngine {
        protected override send(
          session: SmallSession,
          message: { messageId: string; to: string; content: { text: string } },
        ): ReturnType<FleetEngine['send']> {
          const isKnown = session.sent.has(message.messageId)
          const outcome = super.send(session, message)
          if (!this.isTaker || !isKnown) return outcome
          return { ...outcome, after: () => this.deliver(session, randomUUID(), message.to, message.content.text) }
        }
      })(...parts),
    fails: 'takeover.send',
    seen: /sent \d times: .* as message\.status tells/,
  },
]
