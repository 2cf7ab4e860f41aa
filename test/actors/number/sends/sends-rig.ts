import type { SendResult } from '../../../../src/ports/provider.ts'
import type { Rig } from '../../rig.ts'
import { NO_LIMITS } from '../../sending/table.ts'

/** A pace that holds nobody back. */
export const fast = { paces: NO_LIMITS, lookMs: 0 }
/** Whom messages went to, in order. */
export const sentTo = (rig: Rig): string[] =>
  rig.driver.sessions.flatMap((session) => session.sent.map(({ to }) => to.address))

/** An answer of upstream's that comes when the test says so. */
export function held(rig: Rig) {
  const answer = Promise.withResolvers<SendResult>()
  rig.driver.last.sendAnswer = () => answer.promise
  return answer
}
