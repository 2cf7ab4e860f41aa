import { REQUESTS_PER_MINUTE, SENDS_PER_MINUTE } from '../domain/limits.ts'
import type { Cipher } from '../ports/cipher.ts'
import type { Clock } from '../ports/clock.ts'
import type { CallStore } from '../ports/stores/call-store.ts'
import type { EventStore } from '../ports/stores/event-store.ts'
import type { IdempotencyStore } from '../ports/stores/idempotency-store.ts'
import type { KeyStore } from '../ports/stores/key-store.ts'
import type { NumberStore } from '../ports/stores/number-store.ts'
import type { PairingStore } from '../ports/stores/pairing-store.ts'
import type { TenantStore } from '../ports/stores/tenant-store.ts'
import type { Database } from './database.ts'
import { SqlCallStore } from './stores/call-store.ts'
import { SqlEventStore } from './stores/event-store.ts'
import { SqlIdempotencyStore } from './stores/idempotency-store.ts'
import { SqlKeyStore, type RequestLimits } from './stores/key-store.ts'
import { SqlNumberStore } from './stores/number-store.ts'
import { SqlPairingStore } from './stores/pairing-store.ts'
import { SqlTenantStore } from './stores/tenant-store.ts'

/** Every store of the gateway. */
export interface Stores {
  readonly tenants: TenantStore
  readonly numbers: NumberStore
  readonly keys: KeyStore
  readonly pairing: PairingStore
  readonly calls: CallStore
  readonly events: EventStore
  readonly idempotency: IdempotencyStore
}

const DEFAULT_LIMITS: RequestLimits = { requestsPerMinute: REQUESTS_PER_MINUTE, sendsPerMinute: SENDS_PER_MINUTE }

/** Makes all stores over one database. `limits` are those of tenants without their own. */
export function createStores(database: Database, cipher: Cipher, clock: Clock, limits: RequestLimits = DEFAULT_LIMITS): Stores {
  return {
    tenants: new SqlTenantStore(database, cipher, clock),
    numbers: new SqlNumberStore(database, cipher, clock),
    keys: new SqlKeyStore(database, cipher, clock, limits),
    pairing: new SqlPairingStore(database, clock),
    calls: new SqlCallStore(database, clock),
    events: new SqlEventStore(database),
    idempotency: new SqlIdempotencyStore(database, cipher, clock),
  }
}
