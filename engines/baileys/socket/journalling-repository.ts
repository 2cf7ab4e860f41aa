import { DEFAULT_CONNECTION_CONFIG, type SignalKeyStoreWithTransaction, type SocketConfig } from 'baileys'
import { JOURNAL_TYPE } from '../store/keys.ts'
import type { JournalStore } from '../store/journal.ts'
import { messageKeyOf, type JournalPart, type StanzaPart } from '../store/stanza-part.ts'
import { inPeerTurn } from './peer-turns.ts'

type MakeRepository = SocketConfig['makeSignalRepository']

/** An empty message of the protocol, padded as messages are: what a repetition of a told message says. */
const NOTHING = Buffer.from([1])

/** What joins a decrypted part with its stanza, and the message told of it with both. */
export interface Decrypting {
  /** Parts by their bytes, as frames brought them. */
  readonly parts: WeakMap<Uint8Array, StanzaPart>
  /** The stanza decrypted last. The library finishes one message before it begins the next. */
  last: { readonly id: string, readonly messageKey: string } | null
}

/**
 * The library's Signal repository with a journal. The library commits a ratchet step, sends the receipt, and only then tells of the
 * message: killed between, it has lost the message for ever. Here what was decrypted is written in the very commit of the ratchet step.
 * A part that was decrypted before is answered from the journal, for its keys are used up.
 */
export function journallingRepository(journal: JournalStore, decrypting: Decrypting): MakeRepository {
  return (auth, logger, pnToLid) => {
    const base = DEFAULT_CONNECTION_CONFIG.makeSignalRepository(auth, logger, pnToLid)
    const keys = auth.keys as SignalKeyStoreWithTransaction

    async function journalled(bytes: Uint8Array, mutex: string, decrypt: () => Promise<Uint8Array>): Promise<Uint8Array> {
      decrypting.last = null
      const part = decrypting.parts.get(bytes)
      if (!part) return decrypt()
      const messageKey = messageKeyOf(part.attrs)
      const known = journal.find(messageKey, part.part) ?? (journal.isTold(messageKey) ? NOTHING : null)
      const plaintext = known ?? await keys.transaction(() => decryptInto(keys, part, messageKey, decrypt), mutex)
      decrypting.last = { id: part.attrs['id'] ?? '', messageKey }
      return plaintext
    }

    return {
      ...base,
      decryptMessage: (options) => inPeerTurn(options.jid, () => journalled(options.ciphertext, options.jid, () => base.decryptMessage(options))),
      encryptMessage: (options) => inPeerTurn(options.jid, () => base.encryptMessage(options)),
      injectE2ESession: (options) => inPeerTurn(options.jid, () => base.injectE2ESession(options)),
      decryptGroupMessage: (options) => journalled(options.msg, options.group, () => base.decryptGroupMessage(options)),
    }
  }
}

/** Runs within a transaction of the library, which ends in one commit of all that was set. */
async function decryptInto(keys: SignalKeyStoreWithTransaction, part: StanzaPart, messageKey: string, decrypt: () => Promise<Uint8Array>): Promise<Uint8Array> {
  const plaintext = await decrypt()
  const row: JournalPart = { ...part, plaintext }
  // The journal's name is none of the library's types: it takes types as free text.
  await keys.set({ [JOURNAL_TYPE]: { [`${messageKey}|${part.part}`]: row } } as never)
  return plaintext
}
