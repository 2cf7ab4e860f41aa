/**
 * How long the database is waited for, ms. All are our choice, made so that a request is answered within 10 s
 * ([rest.bounds.5]): the first of its statements that fails ends it, and while the database is known to be away none is
 * tried.
 */

/** A connection: a free one of the pool, or a new one. */
export const CONNECT_MS = 4_000
/**
 * One statement of a request. The server is asked to end it, and the connection is cut shortly after, because a server
 * that hangs ends nothing.
 */
export const STATEMENT_MS = 5_000
/** The server's own bound comes first by this much, so that a slow statement costs no connection. */
export const STATEMENT_LEAD_MS = 500
/**
 * The next statement of a transaction, of a request or a chore: then the server undoes the transaction and ends its
 * connection. So a gateway that does not run holds no row longer than a statement of another waits for it
 * (STATEMENT_MS - STATEMENT_LEAD_MS); between two statements one that runs needs milliseconds.
 */
export const IDLE_MS = 4_000
/** A statement of the embedded database, which has one session: its turn and its answer. */
export const EMBEDDED_MS = 9_000
/**
 * Opening the embedded database anew, which may have to read its log again: 40 s on a machine with far too much to do
 * (measured).
 */
export const OPEN_MS = 120_000
/** Pause between looks at the free bytes of its disk while the embedded database owes an answer. */
export const LOOK_MS = 1_000
/** A statement of recurring work, a removal or a migration, on either database; nobody waits for an answer. */
export const CHORE_MS = 600_000
/** The answer to a probe that tells whether a database is there. */
export const PROBE_MS = 2_000
/** Pause between probes while the database is away. */
export const PROBE_PAUSE_MS = 1_000
/** Readiness remembers a full disk this long after the last write it refused: owners of numbers write every 5 s. */
export const FULL_MS = 10_000

/** Who waits: a request for its answer, or nobody. */
export type Patience = 'request' | 'chore'
