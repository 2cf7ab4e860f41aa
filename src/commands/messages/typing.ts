import type { DeviceOps } from '../../domain/device-ops.ts'
import { fail, refuse } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { NumberId } from '../../domain/ids.ts'
import type { Talk } from '../../ports/stores/message-store.ts'
import type { MessagePorts } from './ports.ts'

type Typing = DeviceOps['showTyping']

export interface TypingInput {
  readonly numberId: NumberId
  /** A conversation, or whom one may be with: digits, the id of a user, or that of a group. */
  readonly at: { readonly conversationId: string } | { readonly address: string }
  readonly state: Typing['input']['state']
}

/**
 * Shows a peer that the number writes ([message-verbs.verbs.3]). Nothing of it is stored but the read mark that
 * upstream makes with it. Refusals: NOT_FOUND, those of the device.
 */
export async function showTyping(
  { messages, askDevice }: MessagePorts,
  { numberId, at, state }: TypingInput,
): Promise<Outcome<Typing['value']>> {
  const talk = await messages.talkOf(numberId, at)
  const asked = questionOf(at, talk)
  if (!asked) return fail(refuse('NOT_FOUND', 'No such conversation on this number'))
  const outcome = await askDevice(numberId, 'showTyping', { ...asked, state })
  if (outcome.ok && outcome.value.read && asked.lastInboundId !== null)
    await messages.markRead(numberId, [asked.lastInboundId])
  return outcome
}

function questionOf(at: TypingInput['at'], talk: Talk | null): Omit<Typing['input'], 'state'> | null {
  if ('address' in at) return { to: at.address, lastInboundId: talk?.lastInboundId ?? null }
  return talk && { to: talk.address, lastInboundId: talk.lastInboundId }
}
