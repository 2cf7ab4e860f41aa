import {
  DEFAULT_CONNECTION_CONFIG,
  isPnUser,
  type SignalKeyStore,
  type SignalKeyStoreWithTransaction,
  type SocketConfig,
} from 'baileys'
import { NamedTurns } from '../process/named-turns.ts'
import { JOURNAL_TYPE } from '../store/keys.ts'
import type { JournalStore } from '../store/journal.ts'
import { messageKeyOf, type JournalPart, type StanzaPart } from '../store/stanza-part.ts'
import { inPeerTurn, userOf } from './peer-turns.ts'
import { sessionSteps } from './session-steps.ts'

type MakeRepository = SocketConfig['makeSignalRepository']

/** An empty message of the protocol with its padding, which a repeated part of a told message is read as. */
const NOTHING = Buffer.from([1])

/** Connects a decrypted part with its stanza, and both with the message that the library reports. */
export interface Decrypting {
  /** Parts by their bytes, from the frames. */
  readonly parts: WeakMap<Uint8Array, StanzaPart>
  /**
   * The stanza that was decrypted last; null before one. The library finishes one message before it begins the next.
   */
  last: (Stanza & { readonly id: string }) | null
}

/** The stanza that a message came in. */
export interface Stanza {
  readonly messageKey: string
  /** Whether all of it was decrypted now for the first time, so that nobody has told it. */
  readonly isNew: boolean
}

/**
 * The library's Signal repository with a journal. The library commits a ratchet step, sends the receipt, and only then
 * reports the message: if the process is killed in between, the message is lost for ever. Here the decrypted bytes are
 * written in the same commit as the ratchet step. A part that was decrypted before is answered from the journal,
 * because its keys are used up.
 *
 * Each step of a session is its own commit over `stored`, the keys themselves. The library's transaction around a whole
 * send would undo what was read from that person meanwhile, or be undone by it.
 */
export function journallingRepository(
  journal: JournalStore,
  decrypting: Decrypting,
  stored: SignalKeyStore,
): MakeRepository {
  return (auth, logger, pnToLid) => {
    const { keys, stepOf } = sessionSteps(stored)
    const base = DEFAULT_CONNECTION_CONFIG.makeSignalRepository({ ...auth, keys }, logger, pnToLid)
    const inSessionTurn = sessionTurns(keys)
    /** Bytes that were decrypted for the first time. */
    const fresh = new WeakSet<Uint8Array>()

    /** Decrypts a part and journals it; runs within a step. */
    async function journalled(bytes: Uint8Array, decrypt: () => Promise<Uint8Array>): Promise<Uint8Array> {
      const part = decrypting.parts.get(bytes)
      if (!part) return decrypt()
      const messageKey = messageKeyOf(part.attrs)
      const known = await journal.find(messageKey, part.part)
      if (known) {
        fresh.delete(bytes)
        return known.plaintext ?? NOTHING
      }
      fresh.add(bytes)
      return decryptInto(keys, part, messageKey, decrypt)
    }

    /** Runs a whole step, and notes the message it belongs to once the step is committed. */
    async function noted(bytes: Uint8Array, step: () => Promise<Uint8Array>): Promise<Uint8Array> {
      decrypting.last = null
      const plaintext = await step()
      const part = decrypting.parts.get(bytes)
      if (part) decrypting.last = { id: part.attrs['id'] ?? '', ...stanzaOf(part, fresh.has(bytes)) }
      return plaintext
    }

    return {
      ...base,
      decryptMessage: (options) =>
        noted(options.ciphertext, () =>
          inSessionTurn(options.jid, () =>
            stepOf(options, () => journalled(options.ciphertext, () => base.decryptMessage(options))),
          ),
        ),
      encryptMessage: (options) => inSessionTurn(options.jid, () => base.encryptMessage(options)),
      injectE2ESession: (options) => inSessionTurn(options.jid, () => base.injectE2ESession(options)),
      migrateSession: (from, to) => inSessionTurn(to, () => base.migrateSession(from, to)),
      decryptGroupMessage: (options) =>
        noted(options.msg, () =>
          keys.transaction(() => journalled(options.msg, () => base.decryptGroupMessage(options)), options.group),
        ),
    }
  }
}

/** Another part of the message may have been told alone, so only a message of one part is new with it. */
function stanzaOf({ attrs, parts }: StanzaPart, isFresh: boolean): Stanza {
  return { messageKey: messageKeyOf(attrs), isNew: isFresh && parts === 1 }
}

/** Runs one step of a session at a time. A person's two addresses lead to the same session, so they share the turn. */
function sessionTurns(keys: SignalKeyStoreWithTransaction): <T>(jid: string, step: () => Promise<T>) => Promise<T> {
  const turns = new NamedTurns()
  return async (jid, step) => {
    const user = userOf(jid)
    const known = await keys.get('lid-mapping', [user])
    const session = isPnUser(jid) ? (known[user] ?? user) : user
    return turns.run(session, () => inPeerTurn(jid, step))
  }
}

/** Decrypts and journals; runs within a step, which ends in one commit of all that was set. */
async function decryptInto(
  keys: SignalKeyStoreWithTransaction,
  part: StanzaPart,
  messageKey: string,
  decrypt: () => Promise<Uint8Array>,
): Promise<Uint8Array> {
  const plaintext = await decrypt()
  const row: JournalPart = { ...part, plaintext }
  // The journal's type is not among the library's; the store takes types as free text.
  await keys.set({ [JOURNAL_TYPE]: { [`${messageKey}|${part.part}`]: row } } as never)
  return plaintext
}
