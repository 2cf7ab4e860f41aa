/**
 * The library's record of its sessions with one device, by base key. Read here: when each was used, and its chains by
 * ratchet key in base64.
 */
export interface SessionRecord {
  readonly _sessions: Readonly<Record<string, StoredSession>>
}

interface StoredSession {
  readonly indexInfo: { readonly used?: number }
  readonly _chains: Readonly<Record<string, unknown>>
}

/**
 * An attempt to read a message with one session. After a new session began, messages of the old one still come. The
 * Signal library tries all sessions on one record, the last used first, and stores all of them when one could read the
 * message. Those that could not have then made a step that the other end does not know, and messages sent with them are
 * never read. Here each session is tried separately, and a failed trial is dropped with its step.
 */
export interface Trial {
  readonly ratchetKey: string | null
  /** The place of the session that is tried, and the number of sessions once they were read. */
  readonly at: number
  of: number
}

/**
 * The record with the one session that is tried. The session that knows the message's ratchet key is first, because no
 * other has it.
 */
export function shown(trial: Trial, { _sessions, ...rest }: SessionRecord): SessionRecord {
  const inOrder = Object.entries(_sessions).toSorted(([, one], [, other]) => rank(trial, other) - rank(trial, one))
  trial.of = inOrder.length
  return { ...rest, _sessions: Object.fromEntries(inOrder.slice(trial.at, trial.at + 1)) }
}

function rank({ ratchetKey }: Trial, { _chains, indexInfo }: StoredSession): number {
  return ratchetKey !== null && ratchetKey in _chains ? Number.MAX_VALUE : (indexInfo.used ?? 0)
}

/** The record from before a trial, with the trial's changes to its session. */
export function joined({ _sessions: before }: SessionRecord, { _sessions, ...rest }: SessionRecord): SessionRecord {
  return { ...rest, _sessions: { ...before, ..._sessions } }
}

const KEY_BYTES = 33

/**
 * The ratchet key of a message of the Signal protocol, version 3, in base64: the first field after a byte of versions.
 * Null for anything else.
 */
export function ratchetKeyOf(ciphertext: Uint8Array): string | null {
  const [, tag, length] = ciphertext
  return tag === 0x0a && length === KEY_BYTES
    ? Buffer.from(ciphertext.subarray(3, 3 + KEY_BYTES)).toString('base64')
    : null
}
