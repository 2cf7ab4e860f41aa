import { jidDecode, jidNormalizedUser, type WASocket } from 'baileys'
import type { Lids } from './live-session.ts'

/** Phone numbers behind LIDs by what the socket's device remembers; `current` gives the socket of the moment. */
export function lidsOf(current: () => WASocket | null): Lids {
  return {
    async phoneOf(jid) {
      const address = jidNormalizedUser(jid)
      if (address.endsWith('@s.whatsapp.net')) return digitsOf(address)
      if (!address.endsWith('@lid')) return null
      const known = await current()?.signalRepository.lidMapping.getPNForLID(address)
      return known ? digitsOf(jidNormalizedUser(known)) : null
    },
    async learn(lid, phoneJid) {
      await current()?.signalRepository.lidMapping.storeLIDPNMappings([
        { lid: jidNormalizedUser(lid), pn: jidNormalizedUser(phoneJid) },
      ])
    },
  }
}

/** Digits in an address; null where its user is no number. */
function digitsOf(address: string): string | null {
  const user = jidDecode(address)?.user
  return user !== undefined && /^\d+$/.test(user) ? user : null
}
