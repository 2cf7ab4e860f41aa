/**
 * Addresses of the network in the terms of the bridge: digits for people, the network's own ids for groups and
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

/** Digits of the phone behind the digits of a private id (LID); null while unknown. */
export type PhoneOf = (lid: string) => string | null

export type Chat =
  | { readonly kind: 'direct' }
  | { readonly kind: 'group'; readonly id: string }
  | { readonly kind: 'newsletter'; readonly id: string }
  | { readonly kind: 'story' }

/** The chat of a message. A broadcast list counts as the direct chat of its writer. */
export function chatOf({ remoteJid }: WAMessageKey): Chat {
  const jid = remoteJid ?? ''
  if (isJidGroup(jid)) return { kind: 'group', id: jid }
  if (isJidNewsletter(jid)) return { kind: 'newsletter', id: jid }
  return isJidStatusBroadcast(jid) ? { kind: 'story' } : { kind: 'direct' }
}

/** Digits of a phone's address, without device and server; null for any other address. */
export function phoneIn(jid: string | null | undefined): string | null {
  if (!jid || !(isPnUser(jid) || isHostedPnUser(jid))) return null
  const user = jidDecode(jid)?.user ?? ''
  return /^\d+$/.test(user) ? user : null
}

/** Digits of a private id; null for any other address. */
export function lidIn(jid: string | null | undefined): string | null {
  if (!jid || !(isLidUser(jid) || isHostedLidUser(jid))) return null
  return jidDecode(jid)?.user ?? null
}

/**
 * A person by any of the addresses: digits of the phone, or the private id (`123@lid`) while the phone is unknown. Our
 * choice: a message must not wait for a phone that may never be told. Null without an address.
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

/** The addresses of the writer of a message that is not ours. */
export function writerJids({
  remoteJid,
  remoteJidAlt,
  participant,
  participantAlt,
}: WAMessageKey): readonly (string | null | undefined)[] {
  if (isJidGroup(remoteJid ?? '')) return [participantAlt, participant]
  // In stories and broadcast lists the field for the chat's other address also holds the writer's.
  return isJidBroadcast(remoteJid ?? '') ? [participantAlt, remoteJidAlt, participant] : [remoteJidAlt, remoteJid]
}

/** The network's address of a destination of the bridge: digits, `...@g.us`, `...@newsletter` or `...@lid`. */
export function jidOf(destination: string): string {
  return destination.includes('@') ? destination : `${destination}@s.whatsapp.net`
}
