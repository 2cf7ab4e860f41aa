import type { TenantId } from '../../src/domain/ids.ts'
import type { MessageFailure } from '../../src/domain/message.ts'
import { mediaIn, withSources } from '../../src/domain/outgoing.ts'
import type { Fault } from '../../src/domain/set-aside.ts'
import type { Fence } from '../../src/ports/leases.ts'
import type { QueuedHead, QueuedMessage, SendQueue, SettleResult } from '../../src/ports/stores/send-queue.ts'
import type { SetAsideStore } from '../../src/ports/stores/set-aside-store.ts'
import { PATIENT_DELAYS_MS, persist, tried, type Persistence, type Tried } from '../engine/persist.ts'
import type { StoreOutcome } from './messages.ts'
import type { SendingEffect } from './state.ts'

/** The ports that setting a send aside needs. */
export interface AsidePorts extends Persistence {
  readonly queue: Pick<SendQueue, 'settle'>
  readonly setAside: Pick<SetAsideStore, 'note'>
  readonly tenantId: TenantId
  readonly fence: Fence
}

/** The outcome of a write in the actor's words. */
export function outcomeOf(written: Tried<SettleResult>): {
  readonly outcome: StoreOutcome
  readonly fault: Fault | null
} {
  return written.ok ? { outcome: written.value, fault: null } : { outcome: 'failed', fault: written.fault }
}

/** Notes a send for the operator that ended for a fault of the gateway; its row has the rest. */
export function noteAside(
  ports: AsidePorts,
  { messageId, fault }: Pick<SendingEffect & { type: 'noteAside' }, 'messageId' | 'fault'>,
): void {
  const {
    setAside,
    log,
    tenantId,
    fence: { numberId },
  } = ports
  log.error(
    { numberId, messageId, reason: fault.reason },
    'a message could not be sent for a fault of the gateway and is set aside',
  )
  void persist(
    ports,
    'set send aside',
    () => setAside.note({ ...fault, line: 'sends', item: messageId, tenantId, numberId, accountId: null }, null),
    PATIENT_DELAYS_MS,
  )
}

const UNREADABLE: Fault = { reason: 'UNREADABLE', tries: 1 }
const UNREAD: MessageFailure = {
  code: 'INTERNAL_ERROR',
  message: 'The service could not read what was to be sent, for a fault of its own; it was not sent',
  details: null,
  upstreamCode: null,
}
const UNREAD_IN_DOUBT: MessageFailure = {
  ...UNREAD,
  message: 'The service could not read what was to be sent, for a fault of its own; it may have been sent before',
}

/** Whether a row can be sent: rows outlive the version that wrote them. */
function isReadable(head: QueuedHead): head is QueuedMessage {
  if (head.outgoing === null) return false
  try {
    return mediaIn(head.outgoing).length > 0 || withSources(head.outgoing, []).mode.length > 0
  } catch {
    return false
  }
}

/**
 * Reads the heads that can be sent. One that cannot be read ends as failed and is noted for the operator; the heads are
 * then read again, so that those behind it go on. Null when the store did not answer, or another node owns the number.
 */
export async function readHeads(ports: AsidePorts, read: () => Promise<QueuedHead[]>): Promise<QueuedMessage[] | null> {
  for (;;) {
    const found = await persist(ports, 'read send queue', read)
    if (found === null) return null
    const heads = found.value.filter(isReadable)
    if (heads.length === found.value.length) return heads
    const unread = found.value.filter((head) => !heads.some(({ id }) => id === head.id))
    for (const { id: messageId, attemptedAt } of unread) {
      const ended = await tried(ports, 'end unreadable send', () =>
        ports.queue.settle(ports.fence, {
          kind: 'failed',
          messageId,
          failure: attemptedAt === null ? UNREAD : UNREAD_IN_DOUBT,
        }),
      )
      if (!ended.ok || ended.value === 'fenced') return null
      if (ended.value === 'applied') noteAside(ports, { messageId, fault: UNREADABLE })
    }
  }
}
