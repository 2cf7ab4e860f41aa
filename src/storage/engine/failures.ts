import { type AwayKind, isDiskFull, StoreAway } from '../../domain/store-away.ts'

/** SQLSTATEs (PostgreSQL, appendix A), the longest prefix first. */
const BY_SQLSTATE: readonly (readonly [string, AwayKind])[] = [
  ['53100', 'full'],
  // Too many connections, out of memory, a limit of the configuration.
  ['53', 'crowded'],
  // Of a statement, by our bound or an operator.
  ['57014', 'slow'],
  // Shut down, crashed, starting, database dropped, idle for too long.
  ['57P', 'gone'],
  // The connection.
  ['08', 'gone'],
  // After a failover the old connection leads to a copy that takes no writes.
  ['25006', 'gone'],
]

/** errno(3) and getaddrinfo(3) of the way to it; of a socket file that is missing too. */
const BY_ERRNO: Readonly<Record<string, AwayKind>> = {
  ECONNREFUSED: 'gone',
  ECONNRESET: 'gone',
  ECONNABORTED: 'gone',
  EPIPE: 'gone',
  ENOENT: 'gone',
  ENOTFOUND: 'gone',
  EAI_AGAIN: 'gone',
  EHOSTUNREACH: 'gone',
  EHOSTDOWN: 'gone',
  ENETUNREACH: 'gone',
  ENETDOWN: 'gone',
  ENOTCONN: 'gone',
  ETIMEDOUT: 'late',
}

/** What the drivers say without a code; theirs are fixed texts. */
const BY_TEXT: readonly (readonly [RegExp, AwayKind])[] = [
  [/^timeout exceeded when trying to connect/, 'crowded'],
  [/^Connection terminated due to connection timeout|^timeout expired|^Query read timeout/, 'late'],
  [
    /^Connection terminated|^Client has encountered a connection error|^Client was closed|^Cannot use a pool after/,
    'gone',
  ],
  // The embedded one: its thread ended, or the program inside did.
  [
    /^the embedded database has stopped|^PGlite is clos|^Program terminated|^Aborted\(|^unreachable|No space left on device/i,
    'gone',
  ],
]

const SQLSTATE = /^[0-9A-Z]{5}$/

/** Why the database cannot serve, as read from what a driver threw; null for any other fault. */
export function awayKindOf(error: unknown): AwayKind | null {
  if (error instanceof StoreAway) return error.kind
  if (!(error instanceof Error)) return null
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  const own = isDiskFull(error) ? 'full' : (BY_ERRNO[code] ?? ofSqlState(code) ?? ofText(error.message, code))
  if (own !== null) return own
  const inner = error instanceof AggregateError ? error.errors : [error.cause]
  return inner.map(awayKindOf).find((kind) => kind !== null) ?? null
}

function ofSqlState(code: string): AwayKind | null {
  return BY_SQLSTATE.find(([prefix]) => SQLSTATE.test(code) && code.startsWith(prefix))?.[1] ?? null
}

/** What has a code is told by it: its text may quote a value. */
function ofText(message: string, code: string): AwayKind | null {
  return code === '' ? (BY_TEXT.find(([text]) => text.test(message))?.[1] ?? null) : null
}

/** True where the connection is of no more use: another one may be. */
export function isConnectionSpent(kind: AwayKind): boolean {
  return kind === 'gone' || kind === 'late'
}
