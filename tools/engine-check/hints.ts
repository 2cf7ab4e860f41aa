import { z } from 'zod'
import { TYPING_STATES } from '../../src/domain/device-ops.ts'
import { isLid } from '../../src/domain/identity.ts'
import type { JsonFrame } from '../../src/net/json-socket.ts'

export const digits = z.string().regex(/^\+?\d{5,20}$/, 'is no phone number in digits')
/** The network's id of a person who may hide the number. */
export const lid = z.string().refine(isLid, 'is no id of a person (...@lid)')
/** A person; the id alone while the number is unknown. */
export const person = z.union([digits, lid])

const TYPING = z.object({
  ev: z.literal('peer.typing'),
  peer: person,
  group: z.string().min(1).optional(),
  state: z.enum(TYPING_STATES),
})

/** Whether a frame is what is told without a seq, with the fields that the protocol names ([engines.bridge.14]). */
export function isHint(frame: JsonFrame): boolean {
  return frame['seq'] === undefined && TYPING.safeParse(frame).success
}
