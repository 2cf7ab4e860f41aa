import { REQUESTS_PER_MINUTE, SENDS_PER_MINUTE } from '../domain/limits.ts'
import type { Cipher } from '../ports/cipher.ts'
import type { Clock } from '../ports/clock.ts'
import type { Database } from './database.ts'
import { createMessageStores } from './message-stores.ts'
import { createOfficialStores } from './official-stores.ts'
import type { Stores } from './store-set.ts'
import { SqlCallStore } from './stores/call-store.ts'
import { SqlEventStore } from './stores/event-store.ts'
import { SqlIdempotencyStore } from './stores/idempotency-store.ts'
import { SqlKeyStore, type RequestLimits } from './stores/key-store.ts'
import { SqlNumberStore } from './stores/number-store.ts'
import { SqlPairingStore } from './stores/pairing-store.ts'
import { SqlTenantStore } from './stores/tenant-store.ts'
import { SqlWebhookStore } from './stores/webhook-store.ts'

export type { Stores }

const DEFAULT_LIMITS: RequestLimits = { requestsPerMinute: REQUESTS_PER_MINUTE, sendsPerMinute: SENDS_PER_MINUTE }

const NOBODY = () => {}

/**
 * Makes all stores over one database. `limits` are those of tenants without their own; `onEvents`
 * is called after each commit that stored events, and must be quick.
 */
export function createStores(
  database: Database, cipher: Cipher, clock: Clock, limits: RequestLimits = DEFAULT_LIMITS, onEvents: () => void = NOBODY,
): Stores {
  return {
    tenants: new SqlTenantStore(database, cipher, clock),
    numbers: new SqlNumberStore(database, cipher, clock, onEvents),
    keys: new SqlKeyStore(database, cipher, clock, limits),
    pairing: new SqlPairingStore(database, clock),
    calls: new SqlCallStore(database, clock, onEvents),
    events: new SqlEventStore(database, clock),
    idempotency: new SqlIdempotencyStore(database, cipher, clock),
    webhooks: new SqlWebhookStore(database, cipher, clock),
    ...createOfficialStores(database, cipher, clock, onEvents),
    ...createMessageStores(database, cipher, clock, onEvents),
  }
}
