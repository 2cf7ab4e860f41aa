import { fail, refuse } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { DeviceDirectory } from '../../ports/provider.ts'
import type { EngineOutcome, EngineRequests } from './engine-requests.ts'

/** Engine codes that blame the numbers asked for. */
const NUMBER_CODES: ReadonlySet<string | undefined> = new Set(['NOT_REGISTERED', 'INVALID'])

/** Look-ups, groups and channels, over `number.check`, `group.*` and `newsletter.list`. */
export function deviceDirectory(requests: EngineRequests): DeviceDirectory {
  return {
    checkNumbers: async (numbers) => plain(await requests.ask('number.check', { numbers: [...numbers] }, 'again')),
    listGroups: async () => plain(await requests.ask('group.list', {}, 'again')),
    // A second one would be made.
    createGroup: async (subject, participants) => plain(await requests.ask('group.create', { subject, participants: [...participants] }, 'once')),
    getGroup: async (groupId) => plain(await requests.ask('group.get', { groupId }, 'again')),
    changeParticipants: async (groupId, action, participants) => plain(
      await requests.ask('group.participants', { groupId, action, participants: [...participants] }, 'again'),
    ),
    listNewsletters: async () => plain(await requests.ask('newsletter.list', {}, 'again')),
  }
}

/** Our choice: numbers the engine does not take are the caller's to correct. */
function plain<T>(outcome: EngineOutcome<T>): Outcome<T> {
  if (outcome.ok) return { ok: true, value: outcome.value }
  if (NUMBER_CODES.has(outcome.engineError?.code)) return fail(refuse('VALIDATION', 'The device network does not take one of these numbers.'))
  return { ok: false, error: outcome.error }
}
