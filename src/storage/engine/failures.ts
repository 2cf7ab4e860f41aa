import { type AwayKind, isDiskFull, StoreAway } from '../../domain/store-away.ts'

/** SQLSTATEs (PostgreSQL, appendix A), the longest prefix first. */
const BY_SQLSTATE: readonly (readonly [string, AwayKind])[] = [
  ['53100', 'full'],
  // Too many connections, out of memory, a limit of the configuration.
  ['53', 'crowded'],
  // A statement cancelled by our bound or by an operator.
  ['57014', 'slow'],
  // Shut down, crashed, starting, database dropped, idle for too long.
  ['57P', 'gone'],
  // Connection exceptions.
  ['08', 'gone'],
  // A transaction that waited too long for its next statement, or took too long.
  ['25P03', 'gone'],
  ['25P04', 'gone'],
  // After a failover the old connection leads to a copy that takes no writes.
  ['25006', 'gone'],
]

/** Errors of the way to the database, by errno(3) and getaddrinfo(3); a missing socket file is one of them. */
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

/** Errors that the drivers throw without a code; their texts are fixed. */
const BY_TEXT: readonly (readonly [RegExp, AwayKind])[] = [
  [/^timeout exceeded when trying to connect/, 'crowded'],
  [/^Connection terminated due to connection timeout|^timeout expired|^Query read timeout/, 'late'],
  [
    /^Connection terminated|^Client has encountered a connection error|^Client was closed|^Cannot use a pool after/,
    'gone',
  ],
  // Errors of the embedded database: its thread ended, or the program inside did.
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

/** Reads the text of an error without a code only: the text of one with a code may quote a value. */
function ofText(message: string, code: string): AwayKind | null {
  return code === '' ? (BY_TEXT.find(([text]) => text.test(message))?.[1] ?? null) : null
}

/** True when the connection is of no more use; another one may be. */
export function isConnectionSpent(kind: AwayKind): boolean {
  return kind === 'gone' || kind === 'late'
}
