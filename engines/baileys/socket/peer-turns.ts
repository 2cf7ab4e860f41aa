import { jidDecode } from 'baileys'
import { NamedTurns } from '../process/named-turns.ts'

const ofPeople = new NamedTurns()

/**
 * Runs works on the session with one person one at a time, over all numbers of the process. The Signal library has one
 * queue for each address, whoever asks, and runs what it finds there in the asynchronous context of whom it began with:
 * the step of one number would leave its own transaction, and the session would be written without the journal row
 * beside it. A queue that nobody else is in begins with the asker. `jid`: any address of the person.
 */
export function inPeerTurn<T>(jid: string, work: () => Promise<T>): Promise<T> {
  return ofPeople.run(userOf(jid), work)
}

/** Whom an address names, without server and device. */
export function userOf(jid: string): string {
  return jidDecode(jid)?.user ?? jid
}
