/**
 * How long the database is waited for, in ms. All are our choice, made so that a request is answered within 10 s
 * (contract 2): of its statements the first that fails ends it, and while the database is known to be away none is
 * tried.
 */

/** For a connection: a free one of the pool, or a new one. */
export const CONNECT_MS = 4_000
/**
 * For one statement of a request. The server is asked to end it, and the connection is cut shortly after: a server that
 * hangs ends nothing.
 */
export const STATEMENT_MS = 5_000
/** The server's own bound comes first by this much, so that a slow statement costs no connection. */
export const STATEMENT_LEAD_MS = 500
/** For the embedded database, which has one session: its turn and its answer. */
export const EMBEDDED_MS = 9_000
/**
 * For the embedded database to open anew, which may have to read its log again: 40 s on a machine with far too much to
 * do (measured).
 */
export const OPEN_MS = 120_000
/** From one look at the room of its disk to the next while the embedded database owes an answer. */
export const LOOK_MS = 1_000
/**
 * For a statement of recurring work, a removal or a migration, wherever the database is; nobody waits for an answer.
 */
export const CHORE_MS = 600_000
/** For the answer that tells whether a database is there. */
export const PROBE_MS = 2_000
/** From one such question to the next while it is away. */
export const PROBE_PAUSE_MS = 1_000
/**
 * A full disk is remembered for readiness so long after the last write it refused: owners of numbers write every 5 s.
 */
export const FULL_MS = 10_000

/** Who waits: somebody for an answer, or nobody. */
export type Patience = 'request' | 'chore'
