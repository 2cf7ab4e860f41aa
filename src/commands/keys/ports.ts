import type { KeyId, NumberId, TenantId } from '../../domain/ids.ts'
import type { KeyStore } from '../../ports/stores/key-store.ts'

/** The ports of API keys; each command takes all of them. */
export interface KeyPorts {
  readonly keys: KeyStore
  /** Makes every node forget the callers that this key, or any key of this number or tenant, authenticated. */
  readonly revokeCallers: (id: KeyId | NumberId | TenantId) => Promise<void>
}
