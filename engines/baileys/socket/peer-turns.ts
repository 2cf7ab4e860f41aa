import { jidDecode } from 'baileys'
import { NamedTurns } from '../process/named-turns.ts'

const ofPeople = new NamedTurns()

/**
 * Runs tasks on the session with one person one at a time, over all numbers of the process. The Signal library has one
 * queue for each address, whoever asks, and runs all that it finds there in the asynchronous context of the first
 * asker. The step of another number would then leave its own transaction, and the session would be written without its
 * journal row. With these turns nobody else is in the queue, so it runs in the asker's context. `jid` is any address of
 * the person.
 */
export function inPeerTurn<T>(jid: string, work: () => Promise<T>): Promise<T> {
  return ofPeople.run(userOf(jid), work)
}

/** The person that an address names, without server and device. */
export function userOf(jid: string): string {
  return jidDecode(jid)?.user ?? jid
}
