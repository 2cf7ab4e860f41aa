import type { BridgeOp, BridgeOps } from '../../domain/device-bridge.ts'
import { fail, refuse } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { DeviceDirectory } from '../../ports/devices.ts'
import type { EngineOutcome, EngineRequests, Repeat } from './engine-requests.ts'

/** Engine codes that blame the numbers asked for. */
const NUMBER_CODES: ReadonlySet<string | undefined> = new Set(['NOT_REGISTERED', 'INVALID'])

/** Look-ups, groups and channels, over `number.check`, `group.*` and `newsletter.list`. */
export function deviceDirectory(requests: EngineRequests): DeviceDirectory {
  const asking =
    <O extends BridgeOp>(op: O, repeat: Repeat) =>
    async (fields: BridgeOps[O]['fields']) =>
      plain(await requests.ask(op, fields, repeat))
  return {
    checkNumbers: asking('number.check', 'again'),
    listGroups: asking('group.list', 'again'),
    // A second one would be made.
    createGroup: asking('group.create', 'once'),
    getGroup: asking('group.get', 'again'),
    changeParticipants: asking('group.participants', 'again'),
    listNewsletters: asking('newsletter.list', 'again'),
  }
}

/** Our choice: numbers the engine does not take are the caller's to correct. */
function plain<T>(outcome: EngineOutcome<T>): Outcome<T> {
  if (outcome.ok) return { ok: true, value: outcome.value }
  if (NUMBER_CODES.has(outcome.engineError?.code))
    return fail(refuse('VALIDATION', 'The device network does not take one of these numbers.'))
  return { ok: false, error: outcome.error }
}
