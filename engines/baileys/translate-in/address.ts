/**
 * Addresses of the network and what the bridge calls them: digits for people, the network's own ids for groups and
 * channels.
 */
import {
  isHostedLidUser,
  isHostedPnUser,
  isJidBroadcast,
  isJidGroup,
  isJidNewsletter,
  isJidStatusBroadcast,
  isLidUser,
  isPnUser,
  jidDecode,
} from 'baileys'
import type { WAMessageKey } from 'baileys'

/** Digits of a private id (LID) -> digits of its phone; null while nobody has told. */
export type PhoneOf = (lid: string) => string | null

export type Chat =
  | { readonly kind: 'direct' }
  | { readonly kind: 'group'; readonly id: string }
  | { readonly kind: 'newsletter'; readonly id: string }
  | { readonly kind: 'story' }

/** Which chat a message is in. A broadcast list is the direct chat of its writer. */
export function chatOf({ remoteJid }: WAMessageKey): Chat {
  const jid = remoteJid ?? ''
  if (isJidGroup(jid)) return { kind: 'group', id: jid }
  if (isJidNewsletter(jid)) return { kind: 'newsletter', id: jid }
  return isJidStatusBroadcast(jid) ? { kind: 'story' } : { kind: 'direct' }
}

/** Digits of a phone's address, without device and server; null for anything else. */
export function phoneIn(jid: string | null | undefined): string | null {
  if (!jid || !(isPnUser(jid) || isHostedPnUser(jid))) return null
  const user = jidDecode(jid)?.user ?? ''
  return /^\d+$/.test(user) ? user : null
}

/** Digits of a private id; null for anything else. */
export function lidIn(jid: string | null | undefined): string | null {
  if (!jid || !(isLidUser(jid) || isHostedLidUser(jid))) return null
  return jidDecode(jid)?.user ?? null
}

/**
 * Who is meant, by any of his addresses: digits of his phone, else, as long as nobody has told it, the private id
 * (`123@lid`: our choice; a message must not wait for what may never be told). Null when there is no address.
 */
export function personOf(jids: readonly (string | null | undefined)[], phoneOf: PhoneOf): string | null {
  for (const jid of jids) {
    const phone = phoneIn(jid)
    if (phone !== null) return phone
  }
  const lids = jids.flatMap((jid) => lidIn(jid) ?? [])
  for (const lid of lids) {
    const phone = phoneOf(lid)
    if (phone !== null) return phone
  }
  return lids[0] === undefined ? null : `${lids[0]}@lid`
}

/** Addresses of whoever wrote a message that is not ours. */
export function writerJids({
  remoteJid,
  remoteJidAlt,
  participant,
  participantAlt,
}: WAMessageKey): readonly (string | null | undefined)[] {
  if (isJidGroup(remoteJid ?? '')) return [participantAlt, participant]
  // Stories and broadcast lists: the other address is told beside the chat, of the writer all the same.
  return isJidBroadcast(remoteJid ?? '') ? [participantAlt, remoteJidAlt, participant] : [remoteJidAlt, remoteJid]
}

/** Address of the network for a destination of the bridge: digits, `...@g.us`, `...@newsletter` or `...@lid`. */
export function jidOf(destination: string): string {
  return destination.includes('@') ? destination : `${destination}@s.whatsapp.net`
}
