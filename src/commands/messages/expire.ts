import type { MessagePorts } from './ports.ts'

/** Our choice: messages one statement ends. */
const BATCH = 500
/**
 * Our choice: upstream answers within 20 s or not at all; a message that was asked about more recently is in its
 * owner's hand, whose outcome counts.
 */
const DOUBT_MS = 60_000

/**
 * Ends messages that waited too long (contract 4: EXPIRED_AFTER_ATTEMPTS, NEVER_ATTEMPTED_MAX_AGE_EXCEEDED). Every node
 * does; rows decide. Answers whether there may be more.
 */
export async function expireMessages({ queue }: MessagePorts): Promise<boolean> {
  return (await queue.expire(BATCH, DOUBT_MS)) === BATCH
}
