import { rulesOf } from '../../../actors/sending/rules.ts'
import { createNumbers } from '../../../src/commands/numbers/numbers.ts'
import type { NumberPorts } from '../../../src/commands/numbers/ports.ts'
import { fail, refuse, succeed } from '../../../src/domain/errors.ts'
import { NO_FLOW_ASKS } from '../../helpers/no-flow-asks.ts'
import { openOfficialRig } from '../official/official-rig.ts'

export const AWAY = refuse('DEVICE_NETWORK_ERROR', 'away')

/** Number commands over the tests' world. The devices do not answer. `changes` replaces ports. */
export function openNumberRig(changes: Partial<NumberPorts> = {}) {
  const rig = openOfficialRig()
  const applied: unknown[] = []
  const revoked: string[] = []
  const wanted: string[] = []
  const chosen: string[] = []
  /** The accounts whose Flows have a key pair. */
  const keyed = new Set<string>()
  const numbers = createNumbers({
    ...rig.ports,
    flowKeys: {
      ...NO_FLOW_ASKS.flowKeys,
      current: async ({ accountId }) => (keyed.has(accountId) ? { publicKey: 'PUBLIC', createdAt: new Date(0) } : null),
    },
    reach: { counted: async () => ({ used: 0, resetsAt: null }) },
    paceOf: (number) => rulesOf(number).number,
    officialCommands: rig.official,
    checkDialled: async (address) => succeed(address),
    askPair: async () => fail(AWAY),
    askApplySettings: async (_, fields) => {
      applied.push(fields)
      return fail(AWAY)
    },
    askLogout: async () => succeed(null),
    askRemove: async () => succeed(null),
    revokeCallers: async (id) => void revoked.push(id),
    marketingChosen: async (id) => void chosen.push(id),
    templatesWanted: () => void wanted.push('templates'),
    flowsWanted: () => void wanted.push('flows'),
    ...changes,
  })
  return { ...rig, numbers, applied, revoked, wanted, chosen, keyed }
}
