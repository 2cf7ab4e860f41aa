import type { CallStore } from '../ports/stores/call-store.ts'
import type { EventStore } from '../ports/stores/event-store.ts'
import type { FileStore } from '../ports/stores/file-store.ts'
import type { IdempotencyStore } from '../ports/stores/idempotency-store.ts'
import type { InboundStore } from '../ports/stores/inbound-store.ts'
import type { KeyStore } from '../ports/stores/key-store.ts'
import type { MessageInbox } from '../ports/stores/message-inbox.ts'
import type { MessageStore } from '../ports/stores/message-store.ts'
import type { NumberStore } from '../ports/stores/number-store.ts'
import type { OfficialStore } from '../ports/stores/official-store.ts'
import type { PairingStore } from '../ports/stores/pairing-store.ts'
import type { SendQueue } from '../ports/stores/send-queue.ts'
import type { TenantStore } from '../ports/stores/tenant-store.ts'
import type { WebhookStore } from '../ports/stores/webhook-store.ts'

/** Every store of the gateway. */
export interface Stores {
  readonly tenants: TenantStore
  readonly numbers: NumberStore
  readonly keys: KeyStore
  readonly pairing: PairingStore
  readonly calls: CallStore
  readonly events: EventStore
  readonly idempotency: IdempotencyStore
  readonly webhooks: WebhookStore
  readonly official: OfficialStore
  /** `purge` forgets changes that were worked off more than 30 days ago. */
  readonly inbound: InboundStore & { purge(): Promise<void> }
  /** `purge` deletes what is past the window of its number, and wipes what a number stored before it became RELAY_ONLY. */
  readonly messages: MessageStore & { purge(): Promise<void> }
  readonly queue: SendQueue
  readonly inbox: MessageInbox
  readonly files: FileStore
}
