import type { ReportedStatus } from '../../src/domain/message.ts'
import { accepted, direct, report } from './message-world.ts'
import { type Owned, type World } from './world.ts'

/** Every status that the upstream reports. */
export const REPORTED: readonly ReportedStatus[] = ['SENT', 'DELIVERED', 'READ', 'FAILED']

/** Brings a new message into a status. */
export async function messageIn(world: World, owned: Owned, status: ReportedStatus | 'QUEUED' | 'CANCELED') {
  const message = await accepted(world, owned, {
    to: direct(String(4915600000000 + Math.floor(Math.random() * 1e8))),
    deliverAt: new Date(world.clock.now() + 1),
  })
  if (status === 'CANCELED') await world.stores.messages.cancel(owned.number.id, [message.id])
  else if (status !== 'QUEUED')
    await world.stores.inbox.report(
      owned.fence,
      report(world, status, { messageId: message.id, externalMessageId: `t.${message.id}` }),
    )
  return message
}
