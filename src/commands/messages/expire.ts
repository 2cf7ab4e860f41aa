import type { MessagePorts } from './ports.ts'

/** Our choice: messages that one statement ends. */
const BATCH = 500
/**
 * Our choice: upstream answers within 20 s or not at all. A message that was asked about more recently is still with
 * its owner, whose outcome counts.
 */
const DOUBT_MS = 60_000

/**
 * Ends messages that waited too long, as EXPIRED_AFTER_ATTEMPTS ([messages.failures.10]) or
 * NEVER_ATTEMPTED_MAX_AGE_EXCEEDED ([messages.failures.11]). Every node does so; the rows keep them apart. Answers
 * whether there may be more.
 */
export async function expireMessages({ queue }: MessagePorts): Promise<boolean> {
  return (await queue.expire(BATCH, DOUBT_MS)) === BATCH
}
