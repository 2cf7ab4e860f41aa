/** Reads what an engine tells without a `seq` ([engines.bridge.14]). */
import { z } from 'zod'
import { TYPING_STATES } from '../../domain/device-ops.ts'
import { toDigits } from '../../domain/phone.ts'
import { NAME_CHARACTERS } from '../../domain/storable.ts'
import type { JsonFrame } from '../../net/json-socket.ts'
import type { ProviderEvent } from '../../ports/provider.ts'

const id = z.string().min(1).max(NAME_CHARACTERS)
const TYPING = z.object({ peer: id, group: id.nullable().default(null), state: z.enum(TYPING_STATES) })

/** The event of a frame whose `ev` is text and that has no `seq`; null when it is none that this version uses. */
export function readHint(ev: string, frame: JsonFrame): ProviderEvent | null {
  const read = ev === 'peer.typing' ? TYPING.safeParse(frame) : null
  if (!read?.success) return null
  const { peer, group, state } = read.data
  return { type: 'peerTyping', peer: toDigits(peer) ?? peer, group, state }
}
