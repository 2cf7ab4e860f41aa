import type { IncomingMessage } from 'node:http'
import { randomUUID } from 'node:crypto'
import { SmallEngine, type SmallEvent, type SmallSession } from '../small-engine.ts'

/** An engine that breaks the protocol in one way, with the check that must find it and the finding's text. */
export interface BrokenEngine {
  readonly what: string
  readonly make: () => SmallEngine
  readonly fails: string
  readonly seen: RegExp
}

export const BROKEN: readonly BrokenEngine[] = [
  {
    what: 'accepts whatever bearer token is shown',
    make: () =>
      new (class extends SmallEngine {
        protected override isAllowed(request: IncomingMessage): boolean {
          return request.headers.authorization !== undefined
        }
      })(),
    fails: 'handshake.wrong',
    seen: /the socket was opened/,
  },
  {
    what: 'refuses with 403 where a token is missing',
    make: () =>
      new (class extends SmallEngine {
        protected override refusal(): string {
          return '403 Forbidden'
        }
      })(),
    fails: 'handshake.none',
    seen: /HTTP 403 instead of 401/,
  },
  {
    what: 'shows a code without saying when it runs out',
    make: () =>
      new (class extends SmallEngine {
        protected override emit(session: SmallSession, event: SmallEvent): void {
          super.emit(session, event.ev === 'session.qr' ? { ev: 'session.qr', qr: event['qr'] } : event)
        }
      })(),
    fails: 'pair.code',
    seen: /session\.qr \(seq 1\): expiresInMs/,
  },
  {
    what: 'sends anew for an id it sent before',
    make: () =>
      new (class extends SmallEngine {
        protected override externalId(): string {
          return randomUUID()
        }
      })(),
    fails: 'send.once',
    seen: /sent 3 times/,
  },
  {
    what: 'says nothing of what became of a message',
    make: () =>
      new (class extends SmallEngine {
        protected override deliver(): void {}
      })(),
    fails: 'send.status',
    seen: /no message\.status of/,
  },
  {
    what: 'forgets with its socket what it sent',
    make: () =>
      new (class extends SmallEngine {
        protected override start(session: SmallSession, credentials: unknown): void {
          session.sent.clear()
          super.start(session, credentials)
        }
      })(),
    fails: 'send.dropped',
    seen: /sent 2 times: .* as message\.status tells/,
  },
  {
    what: 'does not tell again what was not acknowledged',
    make: () =>
      new (class extends SmallEngine {
        protected override repeat(): void {}
      })(),
    fails: 'events.repeated',
    seen: /no session\.credentials again, which was not acknowledged \(seq 3\) within/,
  },
  {
    what: 'tells again what was acknowledged',
    make: () =>
      new (class extends SmallEngine {
        protected override acknowledge(): void {}
      })(),
    fails: 'events.acknowledged',
    seen: /session\.qr \(seq 1\) although 2 was acknowledged/,
  },
  {
    what: 'leaves unknown ops without an answer',
    make: () =>
      new (class extends SmallEngine {
        protected override unknown(): null {
          return null
        }
      })(),
    fails: 'request.unknown',
    seen: /no answer to check\.unknown within/,
  },
  {
    what: 'answers under an id of its own',
    make: () =>
      new (class extends SmallEngine {
        protected override answerId(): string {
          return 'mine'
        }
      })(),
    fails: 'request.unknown',
    seen: /instead \{"re":"mine".* neither an event nor answers what was asked/,
  },
  {
    what: 'counts backwards',
    make: () =>
      new (class extends SmallEngine {
        protected override nextSeq(session: SmallSession): number {
          return 1_000 - ++session.seq
        }
      })(),
    fails: 'events.order',
    seen: /session\.state has seq 998 behind 999/,
  },
  {
    what: 'answers a logout and stays linked',
    make: () =>
      new (class extends SmallEngine {
        protected override logout(): void {}
      })(),
    fails: 'session.logout',
    seen: /no session\.state CLOSE within/,
  },
  {
    what: 'takes credentials that a logout revoked',
    make: () =>
      new (class extends SmallEngine {
        protected override logout(session: SmallSession): void {
          this.emit(session, { ev: 'session.state', state: 'CLOSE', reason: 'logged_out' })
        }
      })(),
    fails: 'start.revoked',
    seen: /session\.state OPEN/,
  },
  {
    what: 'never tells the credentials of a pairing',
    make: () =>
      new (class extends SmallEngine {
        protected override tellCredentials(): void {}
      })(),
    fails: 'pair.credentials',
    seen: /no session\.credentials within/,
  },
  {
    what: 'asks to be paired anew although it was',
    make: () =>
      new (class extends SmallEngine {
        protected override start(session: SmallSession, _credentials: unknown): void {
          super.start(session, null)
        }
      })(),
    fails: 'start.credentials',
    seen: /a code to scan/,
  },
  {
    what: 'lets two sockets hold one session',
    make: () =>
      new (class extends SmallEngine {
        protected override replace(): void {}
      })(),
    fails: 'session.replaced',
    seen: /no end of the connection within/,
  },
  {
    what: 'takes the wish for a code to type and shows none',
    make: () =>
      new (class extends SmallEngine {
        protected override perform(
          session: SmallSession,
          op: string,
          fields: Readonly<Record<string, unknown>>,
        ): ReturnType<SmallEngine['perform']> {
          return op === 'session.pairing_code' ? { result: {} } : super.perform(session, op, fields)
        }
      })(),
    fails: 'pair.typed',
    seen: /no session\.qr with a pairing code within/,
  },
  {
    what: 'tells times in seconds',
    make: () =>
      new (class extends SmallEngine {
        protected override emit(session: SmallSession, event: SmallEvent): void {
          super.emit(
            session,
            typeof event['timestamp'] === 'number'
              ? { ...event, timestamp: Math.round(event['timestamp'] / 1_000) }
              : event,
          )
        }
      })(),
    fails: 'events.shape',
    seen: /timestamp: is no time in ms since the epoch/,
  },
  {
    what: 'says that it changed what it never sent',
    make: () =>
      new (class extends SmallEngine {
        protected override perform(
          session: SmallSession,
          op: string,
          fields: Readonly<Record<string, unknown>>,
        ): ReturnType<SmallEngine['perform']> {
          return op === 'message.edit' || op === 'message.revoke' ? { result: {} } : super.perform(session, op, fields)
        }
      })(),
    fails: 'send.changed',
    seen: /what was never sent was answered as if it had been changed/,
  },
]
