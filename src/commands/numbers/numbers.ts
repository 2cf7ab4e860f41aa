import type { NumberId, TenantId } from '../../domain/ids.ts'
import { PAIRING_CODE_WAIT_MS } from '../../domain/limits.ts'
import type { ChannelNumber } from '../../domain/number.ts'
import type { NumberRange } from '../../ports/stores/number-store.ts'
import { connectOfficial } from './connect-official.ts'
import type { ConnectInput } from './connect-official.ts'
import { createNumber } from './create.ts'
import type { CreateNumberInput } from './create.ts'
import { limitsOf } from './limits.ts'
import { logout } from './logout.ts'
import { patchNumber } from './patch.ts'
import type { PatchNumberInput } from './patch.ts'
import type { NumberPorts } from './ports.ts'
import { removeNumber } from './remove.ts'

/** The commands of a tenant's numbers. */
export type NumberCommands = ReturnType<typeof createNumbers>

/** Makes the commands of a tenant's numbers. */
export function createNumbers(ports: NumberPorts) {
  const { numbers, officialCommands, askPair } = ports
  return {
    create: (input: CreateNumberInput) => createNumber(ports, input),
    connectOfficial: (input: ConnectInput) => connectOfficial(ports, input),
    listSome: (tenantId: TenantId, numberIds: readonly NumberId[] | null, range: NumberRange) =>
      numbers.listSome(tenantId, numberIds, range),
    count: (tenantId: TenantId, numberIds: readonly NumberId[] | null) => numbers.count(tenantId, numberIds),
    limits: (number: ChannelNumber) => limitsOf(ports, number),
    refresh: (number: ChannelNumber) => officialCommands.refresh(number),
    pair: (id: NumberId, isTyped: boolean) => askPair(id, { waitMs: PAIRING_CODE_WAIT_MS, isTyped }),
    patch: (input: PatchNumberInput) => patchNumber(ports, input),
    logout: (number: ChannelNumber) => logout(ports, number),
    remove: (number: ChannelNumber) => removeNumber(ports, number),
  }
}
