import type { Cipher } from '../ports/cipher.ts'
import type { Clock } from '../ports/clock.ts'
import type { Database } from './database.ts'
import type { Stores } from './store-set.ts'
import { SqlFileStore } from './stores/file-store.ts'
import { SqlMessageInbox } from './stores/message-inbox.ts'
import { SqlMessageStore } from './stores/message-store.ts'
import { SqlSendQueue } from './stores/send-queue.ts'

/** Makes the stores of messages: what clients see, what is to be sent, what comes in, and files. `onEvents` as in createStores. */
export function createMessageStores(database: Database, cipher: Cipher, clock: Clock, onEvents: () => void): Pick<Stores, 'messages' | 'queue' | 'inbox' | 'files'> {
  return {
    messages: new SqlMessageStore(database, cipher, clock),
    queue: new SqlSendQueue(database, clock, onEvents),
    inbox: new SqlMessageInbox(database, cipher, clock, onEvents),
    files: new SqlFileStore(database, clock),
  }
}
