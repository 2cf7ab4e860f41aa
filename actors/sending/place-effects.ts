import { heldMs } from '../../src/domain/daily-limit.ts'
import type { ReachStore, TakenPlace } from '../../src/ports/stores/reach-store.ts'
import { persist, tried } from '../engine/persist.ts'
import type { AsidePorts } from './aside.ts'
import type { CountOutcome, SendingMessage } from './messages.ts'
import type { SendingEffect } from './state.ts'

/** The ports of the limit a day. */
export interface PlacePorts extends AsidePorts {
  readonly reach: Pick<ReachStore, 'take' | 'giveBack'>
}

/** Asks the limit for a place. */
export async function count(
  ports: PlacePorts,
  { attempt, message, limit }: SendingEffect & { type: 'count' },
): Promise<SendingMessage> {
  const { id: messageId, conversationId, to } = message
  const asked = { tenantId: ports.tenantId, accountId: limit.accountId, messageId, address: to.address }
  const { numberId } = ports.fence
  const answer = await tried(ports, 'count a person reached', () =>
    ports.reach.take({ ...asked, numberId, conversationId, perDay: limit.perDay }),
  )
  const outcome = (): CountOutcome => {
    if (!answer.ok) return { kind: 'failed', fault: answer.fault }
    const { value } = answer
    if (value.kind === 'full') return { kind: 'full', afterMs: heldMs(value.until.getTime(), ports.clock.now()) }
    return { kind: 'taken', place: value.kind === 'open' ? null : { ...asked, at: value.at } }
  }
  return { type: 'Counted', attempt, conversationId, outcome: outcome() }
}

/** Gives a place back. When that fails, one person too many is counted until the place is over. */
export async function giveBack(ports: PlacePorts, place: TakenPlace): Promise<void> {
  await persist(ports, 'give back a place', () => ports.reach.giveBack(place))
}
