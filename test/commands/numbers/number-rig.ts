import { createNumbers } from '../../../src/commands/numbers/numbers.ts'
import type { NumberPorts } from '../../../src/commands/numbers/ports.ts'
import { fail, refuse, succeed } from '../../../src/domain/errors.ts'
import { openOfficialRig } from '../official/official-rig.ts'

export const AWAY = refuse('DEVICE_NETWORK_ERROR', 'away')

/** Numbers over the tests' world, whose devices are away; `changes`: ports that are otherwise. */
export function openNumberRig(changes: Partial<NumberPorts> = {}) {
  const rig = openOfficialRig()
  const applied: unknown[] = []
  const revoked: string[] = []
  const wanted: string[] = []
  const numbers = createNumbers({
    ...rig.ports,
    flowKeys: rig.world.flowKeys,
    officialCommands: rig.official,
    askPair: async () => fail(AWAY),
    askApplySettings: async (_, fields) => {
      applied.push(fields)
      return fail(AWAY)
    },
    askLogout: async () => succeed(null),
    askRemove: async () => succeed(null),
    revokeCallers: async (id) => void revoked.push(id),
    templatesWanted: () => void wanted.push('templates'),
    flowsWanted: () => void wanted.push('flows'),
    ...changes,
  })
  return { ...rig, numbers, applied, revoked, wanted }
}
