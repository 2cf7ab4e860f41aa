/**
 * How a sender is written into a stanza: by phone number or by hidden identifier, with the other one added when it may
 * be known.
 */
import { jidDecode, jidEncode } from 'baileys'
import type { Account } from './directory.ts'
import type { Attributes } from './stanza.ts'

/** A sender: an account, and which of its devices (0 is the phone). */
export type Sender = { account: Account; device: number; hidden: boolean }

const withDevice = (jid: string, device: number): string => {
  const decoded = jidDecode(jid)
  return decoded ? jidEncode(decoded.user, decoded.server, device === 0 ? undefined : device) : jid
}

/** Gives the sender's jid with its device. */
export const senderJid = ({ account, device, hidden }: Sender): string =>
  withDevice(hidden ? account.lid : account.pn, device)

/** Gives the attributes of a stanza of a chat between two. */
export function fromAttributes(sender: Sender): Attributes {
  const { account, hidden } = sender
  if (!hidden) return { from: senderJid(sender), sender_lid: account.lid }
  return { from: senderJid(sender), addressing_mode: 'lid', sender_pn: account.numberKnown ? account.pn : undefined }
}

/** Gives the attributes of a stanza to many: into a group, a story, a broadcast list. */
export function participantAttributes(chat: string, sender: Sender): Attributes {
  const { account, hidden } = sender
  const participant = senderJid(sender)
  if (!hidden) return { from: chat, participant, addressing_mode: 'pn', participant_lid: account.lid }
  return {
    from: chat,
    participant,
    addressing_mode: 'lid',
    participant_pn: account.numberKnown ? account.pn : undefined,
  }
}
