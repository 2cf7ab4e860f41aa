import type { Caller } from '../../domain/caller.ts'
import type { NumberId, TenantId } from '../../domain/ids.ts'
import type { RegenerationClaim } from '../../ports/stores/key-store.ts'
import type { KeyPorts } from './ports.ts'
import { regenerateKey } from './regenerate.ts'
import { replaceKey } from './replace.ts'

/** The commands of API keys. */
export type KeyCommands = ReturnType<typeof createKeys>

/** Makes the commands of API keys. */
export function createKeys(ports: KeyPorts) {
  return {
    list: (tenantId: TenantId) => ports.keys.list(tenantId),
    ofTenant: (tenantId: TenantId) => ports.keys.tenantKey(tenantId),
    replace: (tenantId: TenantId, numberId: NumberId) => replaceKey(ports, tenantId, numberId),
    regenerate: (caller: Caller, claim: RegenerationClaim | null) => regenerateKey(ports, caller, claim),
  }
}
