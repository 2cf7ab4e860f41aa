import type { SendResult } from '../../../../src/ports/provider.ts'
import type { Rig } from '../../rig.ts'
import { NO_LIMITS } from '../../sending/table.ts'

/** Options that delay no send. */
export const fast = { paces: NO_LIMITS, lookMs: 0 }
/** The recipients of the sent messages, in order. */
export const sentTo = (rig: Rig): string[] =>
  rig.driver.sessions.flatMap((session) => session.sent.map(({ to }) => to.address))

/** Holds the upstream's answer back until the test gives it. */
export function held(rig: Rig) {
  const answer = Promise.withResolvers<SendResult>()
  rig.driver.last.sendAnswer = () => answer.promise
  return answer
}
