/** Reads what an engine tells of the addresses of a person ([engines.peers.1] to [engines.peers.3]). */
import { z } from 'zod'
import { identityKindOf, isLid, toldTogether } from '../../domain/identity.ts'
import { toDigits } from '../../domain/phone.ts'
import { NAME_CHARACTERS } from '../../domain/storable.ts'
import type { JsonFrame } from '../../net/json-socket.ts'
import type { NamedPeer } from '../../ports/stores/message-inbox.ts'

const phone = z.string().transform((number, context) => {
  const digits = toDigits(number)
  if (digits !== null) return digits
  context.addIssue({ code: 'custom', message: 'is no phone number' })
  return z.NEVER
})
const lid = z.string().max(NAME_CHARACTERS).refine(isLid)

const PEER = z.object({ phone, lid })

/** An address that an engine may leave out; null for another form. */
export const otherPhone = phone.nullable().catch(null).default(null)
export const otherLid = lid.nullable().catch(null).default(null)

/** `peer` of a message; both null when it names nobody. */
export const peerOfMessage = z
  .object({ phone: otherPhone, lid: otherLid })
  .catch({ phone: null, lid: null })
  .default({ phone: null, lid: null })
export type PeerOfMessage = z.infer<typeof peerOfMessage>

/** Reads `session.peer`. Throws when the frame does not name both. */
export function readPeerNamed(frame: JsonFrame): { readonly type: 'peerNamed' } & NamedPeer {
  const told = PEER.parse(frame)
  return { type: 'peerNamed', addresses: [told.phone, told.lid] }
}

/**
 * All that a message or an answer names a person by: `address` as it stands there, unless it is that of a group or a
 * channel. Null when that is one address.
 */
export function namedWith(address: string, told: PeerOfMessage): NamedPeer | null {
  const isPerson = isLid(address) || identityKindOf(address) === 'PHONE'
  const addresses = toldTogether([told.phone, isPerson ? address : null, told.lid])
  return addresses && { addresses }
}

/** The best address to answer to ([identities.identities.3]): the number of a person whose message has the id. */
export function bestAddress(address: string, { phone: known }: PeerOfMessage): string {
  return isLid(address) ? (known ?? address) : address
}
