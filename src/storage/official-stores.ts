import type { Cipher } from '../ports/cipher.ts'
import type { Clock } from '../ports/clock.ts'
import type { Database } from './database.ts'
import type { Stores } from './store-set.ts'
import { SqlInboundStore } from './stores/inbound-store.ts'
import { SqlOfficialStore } from './stores/official-store.ts'

/** Makes the stores of OFFICIAL numbers. `onEvents` as in createStores. */
export function createOfficialStores(database: Database, cipher: Cipher, clock: Clock, onEvents: () => void): Pick<Stores, 'official' | 'inbound'> {
  return {
    official: new SqlOfficialStore(database, cipher, clock, onEvents),
    inbound: new SqlInboundStore(database, cipher, clock, onEvents),
  }
}
