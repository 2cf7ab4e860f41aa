import type { KeyId, NumberId, TenantId } from '../../domain/ids.ts'
import type { KeyStore } from '../../ports/stores/key-store.ts'

/** All that keys stand on: each verb takes it whole. */
export interface KeyPorts {
  readonly keys: KeyStore
  /** Forgets on every node whom this key, or all keys of this number or tenant, proved to be. */
  readonly revokeCallers: (id: KeyId | NumberId | TenantId) => Promise<void>
}
