import type { SignalDataSet, SignalKeyStore } from 'baileys'
import { AsyncLocalStorage } from 'node:async_hooks'

/** How the library stores its sessions with one device: by base key. Read here: when each was used, and its chains by ratchet key, in base64. */
interface SessionRecord {
  readonly _sessions: Readonly<Record<string, StoredSession>>
}

interface StoredSession {
  readonly indexInfo: { readonly used?: number }
  readonly _chains: Readonly<Record<string, unknown>>
}

interface Trial {
  readonly ratchetKey: string | null
  /** Which of the sessions is tried, and of how many, once they were read. */
  readonly at: number
  of: number
}

type Sessions = NonNullable<SignalDataSet['session']>

/** A key store that shows a work one session of a device at a time. */
export interface SessionTrials {
  readonly keys: SignalKeyStore
  /** Decrypts a message with each session in turn until one can; rejects as the last of them. `decrypt` is a transaction over `keys`, or makes some. */
  each<T>({ type, ciphertext }: { readonly type: 'pkmsg' | 'msg', readonly ciphertext: Uint8Array }, decrypt: () => Promise<T>): Promise<T>
}

/**
 * After a new session began, what was written before by the old one still comes. The Signal library tries all sessions on one record, the one
 * used last first, and stores them all when one could read: those that could not have made a step that their other end knows nothing of,
 * and what is sent by them is never read. Here each is tried by itself, over `stored`, and what a failed trial did is dropped with
 * its transaction. A session that knows the message's ratchet key is tried first: no other has it.
 */
export function sessionTrials(stored: SignalKeyStore): SessionTrials {
  const trials = new AsyncLocalStorage<Trial>()

  function shown(trial: Trial, { _sessions, ...rest }: SessionRecord): SessionRecord {
    const inOrder = Object.entries(_sessions).toSorted(([, one], [, other]) => rank(trial, other) - rank(trial, one))
    trial.of = inOrder.length
    return { ...rest, _sessions: Object.fromEntries(inOrder.slice(trial.at, trial.at + 1)) }
  }

  /** With the sessions that the trial was not shown. */
  async function whole(sessions: Sessions): Promise<Sessions> {
    const known = await stored.get('session', Object.keys(sessions)) as Record<string, unknown>
    const merged = Object.entries(sessions).map(([id, record]) => [id, isRecord(record) && isRecord(known[id]) ? joined(known[id], record) : record])
    return Object.fromEntries(merged) as Sessions
  }

  return {
    keys: {
      ...stored,
      async get(type, ids) {
        const found = await stored.get(type, ids)
        const trial = trials.getStore()
        if (!trial || type !== 'session') return found
        return Object.fromEntries(Object.entries(found).map(([id, record]) => [id, isRecord(record) ? shown(trial, record) : record])) as never
      },
      async set(data) {
        return stored.set(trials.getStore() && data.session ? { ...data, session: await whole(data.session) } : data)
      },
    },
    async each({ type, ciphertext }, decrypt) {
      // One that begins a session names it.
      if (type === 'pkmsg') return decrypt()
      const ratchetKey = ratchetKeyOf(ciphertext)
      for (let at = 0; ; at++) {
        const trial: Trial = { ratchetKey, at, of: 0 }
        try {
          return await trials.run(trial, decrypt)
        } catch (error) {
          if (at + 1 >= trial.of) throw error
        }
      }
    },
  }
}

function joined({ _sessions: before }: SessionRecord, { _sessions, ...rest }: SessionRecord): SessionRecord {
  return { ...rest, _sessions: { ...before, ..._sessions } }
}

function rank({ ratchetKey }: Trial, { _chains, indexInfo }: StoredSession): number {
  return ratchetKey !== null && ratchetKey in _chains ? Infinity : indexInfo.used ?? 0
}

function isRecord(record: unknown): record is SessionRecord {
  return typeof record === 'object' && record !== null && '_sessions' in record
}

const KEY_BYTES = 33

/** Of a message of the Signal protocol, version 3: a byte of versions, then the ratchet key as the first field. Null for anything else. */
function ratchetKeyOf(ciphertext: Uint8Array): string | null {
  const [, tag, length] = ciphertext
  return tag === 0x0a && length === KEY_BYTES ? Buffer.from(ciphertext.subarray(3, 3 + KEY_BYTES)).toString('base64') : null
}
