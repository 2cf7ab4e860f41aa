import {
  type SignalDataSet,
  type SignalDataTypeMap,
  type SignalKeyStore,
  type SignalKeyStoreWithTransaction,
} from 'baileys'
import { AsyncLocalStorage } from 'node:async_hooks'
import { NamedTurns } from '../process/named-turns.ts'
import { joined, ratchetKeyOf, shown, type SessionRecord, type Trial } from './session-trial.ts'

/** The keys of a number in steps, each of which is committed completely and at once. */
export interface SessionSteps {
  readonly keys: SignalKeyStoreWithTransaction
  /**
   * Decrypts a message as one step. When several sessions might read it, each is tried in turn. Rejects with the error
   * of the last one, and then nothing is stored.
   */
  stepOf<T>(message: EncryptedMessage, decrypt: () => Promise<T>): Promise<T>
}

interface EncryptedMessage {
  readonly type: 'pkmsg' | 'msg'
  readonly ciphertext: Uint8Array
}

/** What a step read and wrote. Once it is over, code of it that still runs sees the stored keys. */
interface Step {
  readonly owner: object
  readonly trial: Trial | null
  readonly known: Map<string, unknown>
  readonly written: Record<string, Record<string, unknown>>
  isOver: boolean
}

type Sessions = Readonly<Record<string, unknown>>

/** One storage for all numbers: see shareStorages. */
const steps = new AsyncLocalStorage<Step>()

/**
 * Replaces the library's own transactions. Those of a socket last as long as a send: they read a session at the start
 * and write it when all is sent. A step that is committed and never sent costs nothing, because its reader skips it.
 */
export function sessionSteps(stored: SignalKeyStore): SessionSteps {
  const owner = {}
  const turns = new NamedTurns()

  function current(): Step | null {
    const step = steps.getStore()
    return step?.owner === owner && !step.isOver ? step : null
  }

  async function read(step: Step, type: keyof SignalDataTypeMap, ids: readonly string[]): Promise<void> {
    const missing = ids.filter((id) => !step.known.has(nameOf(type, id)))
    if (missing.length === 0) return
    const found: Readonly<Record<string, unknown>> = await stored.get(type, missing)
    for (const id of missing) {
      const value = found[id]
      step.known.set(
        nameOf(type, id),
        step.trial && type === 'session' && isRecord(value) ? shown(step.trial, value) : value,
      )
    }
  }

  async function commit({ trial, written }: Step): Promise<void> {
    if (Object.keys(written).length === 0) return
    const { session } = written
    const data = trial && session ? { ...written, session: await whole(stored, session) } : written
    // One that fails is not tried again: the store did so where it helps, and others wait for the turn of this person.
    await stored.set(data as SignalDataSet)
  }

  async function run<T>(trial: Trial | null, work: () => Promise<T>): Promise<T> {
    const step: Step = { owner, trial, known: new Map(), written: {}, isOver: false }
    try {
      const result = await steps.run(step, work)
      await commit(step)
      return result
    } finally {
      step.isOver = true
    }
  }

  return {
    keys: {
      async get(type, ids) {
        const step = current()
        if (!step) return stored.get(type, ids)
        await read(step, type, ids)
        const found = ids
          .map((id) => [id, step.known.get(nameOf(type, id))] as const)
          .filter(([, value]) => value !== undefined && value !== null)
        return Object.fromEntries(found) as never
      },
      async set(data) {
        const step = current()
        if (!step) return stored.set(data)
        for (const [type, values] of Object.entries(data)) {
          for (const [id, value] of Object.entries(values)) step.known.set(nameOf(type, id), value)
          step.written[type] = { ...step.written[type], ...values }
        }
      },
      isInTransaction: () => current() !== null,
      transaction: (work, name) => (current() ? work() : turns.run(name, () => run(null, work))),
    },
    async stepOf({ type, ciphertext }, decrypt) {
      // A message that begins a session names it.
      if (type === 'pkmsg') return run(null, decrypt)
      const ratchetKey = ratchetKeyOf(ciphertext)
      for (let at = 0; ; at++) {
        const trial: Trial = { ratchetKey, at, of: 0 }
        try {
          return await run(trial, decrypt)
        } catch (error) {
          if (at + 1 >= trial.of) throw error
        }
      }
    },
  }
}

/** The record together with the sessions that the trial was not shown. */
async function whole(stored: SignalKeyStore, sessions: Sessions): Promise<Sessions> {
  const known: Readonly<Record<string, unknown>> = await stored.get('session', Object.keys(sessions))
  return Object.fromEntries(
    Object.entries(sessions).map(([id, record]) => [
      id,
      isRecord(record) && isRecord(known[id]) ? joined(known[id], record) : record,
    ]),
  )
}

function isRecord(record: unknown): record is SessionRecord {
  return typeof record === 'object' && record !== null && '_sessions' in record
}

function nameOf(type: string, id: string): string {
  return `${type} ${id}`
}
