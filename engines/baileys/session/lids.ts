import { jidDecode, jidNormalizedUser, type WASocket } from 'baileys'
import type { Lids } from './live-session.ts'

/** Phone numbers of LIDs, from the memory of the socket's device. `current` gives the present socket. */
export function lidsOf(current: () => WASocket | null): Lids {
  return {
    async phoneOf(jid) {
      const address = jidNormalizedUser(jid)
      if (address.endsWith('@s.whatsapp.net')) return digitsOf(address)
      if (!address.endsWith('@lid')) return null
      const known = await current()?.signalRepository.lidMapping.getPNForLID(address)
      return known ? digitsOf(jidNormalizedUser(known)) : null
    },
    async lidOf(phone) {
      // The library's own question would ask the network for what is not stored.
      const stored = await current()?.authState.keys.get('lid-mapping', [phone])
      const lid = stored?.[phone]
      return lid === undefined ? null : `${lid}@lid`
    },
    async learn(lid, phoneJid) {
      await current()?.signalRepository.lidMapping.storeLIDPNMappings([
        { lid: jidNormalizedUser(lid), pn: jidNormalizedUser(phoneJid) },
      ])
    },
  }
}

/** The digits in an address; null when its user is not a number. */
function digitsOf(address: string): string | null {
  const user = jidDecode(address)?.user
  return user !== undefined && /^\d+$/.test(user) ? user : null
}
