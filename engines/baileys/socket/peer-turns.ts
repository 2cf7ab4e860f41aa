import { jidDecode } from 'baileys'
import { Turns } from '../session/turns.ts'

const turns = new Map<string, { readonly turns: Turns, users: number }>()

/**
 * Runs works on the session with one person one at a time, over all numbers of the process. The Signal library has one queue for each
 * address, whoever asks, and runs what it finds there in the asynchronous context of whom it began with: the step of one number would
 * leave its own transaction, and the session would be written without the journal row beside it. A queue that nobody else is in begins
 * with the asker. `jid`: any address of the person.
 */
export async function inPeerTurn<T>(jid: string, work: () => Promise<T>): Promise<T> {
  const person = jidDecode(jid)?.user ?? jid
  const entry = turns.get(person) ?? { turns: new Turns(), users: 0 }
  turns.set(person, entry)
  entry.users += 1
  try {
    return await entry.turns.run(work)
  } finally {
    entry.users -= 1
    if (entry.users === 0) turns.delete(person)
  }
}
