/**
 * How the library stores its sessions with one device: by base key. Read here: when each was used, and its chains by
 * ratchet key, in base64.
 */
export interface SessionRecord {
  readonly _sessions: Readonly<Record<string, StoredSession>>
}

interface StoredSession {
  readonly indexInfo: { readonly used?: number }
  readonly _chains: Readonly<Record<string, unknown>>
}

/**
 * A try to read a message with one session. After a new session began, what was written before by the old one still
 * comes. The Signal library tries all sessions on one record, the one used last first, and stores them all when one
 * could read: those that could not have made a step that their other end knows nothing of, and what is sent by them is
 * never read. Here each is tried by itself, and what a failed trial did is dropped with its step.
 */
export interface Trial {
  readonly ratchetKey: string | null
  /** Which of the sessions is tried, and of how many, once they were read. */
  readonly at: number
  of: number
}

/**
 * The record with the one session that is tried. First is the one that knows the message's ratchet key: no other has
 * it.
 */
export function shown(trial: Trial, { _sessions, ...rest }: SessionRecord): SessionRecord {
  const inOrder = Object.entries(_sessions).toSorted(([, one], [, other]) => rank(trial, other) - rank(trial, one))
  trial.of = inOrder.length
  return { ...rest, _sessions: Object.fromEntries(inOrder.slice(trial.at, trial.at + 1)) }
}

function rank({ ratchetKey }: Trial, { _chains, indexInfo }: StoredSession): number {
  return ratchetKey !== null && ratchetKey in _chains ? Number.MAX_VALUE : (indexInfo.used ?? 0)
}

/** A record as it was before a trial, with what the trial made of its session. */
export function joined({ _sessions: before }: SessionRecord, { _sessions, ...rest }: SessionRecord): SessionRecord {
  return { ...rest, _sessions: { ...before, ..._sessions } }
}

const KEY_BYTES = 33

/**
 * Of a message of the Signal protocol, version 3: a byte of versions, then the ratchet key as the first field. In
 * base64; null for anything else.
 */
export function ratchetKeyOf(ciphertext: Uint8Array): string | null {
  const [, tag, length] = ciphertext
  return tag === 0x0a && length === KEY_BYTES
    ? Buffer.from(ciphertext.subarray(3, 3 + KEY_BYTES)).toString('base64')
    : null
}
