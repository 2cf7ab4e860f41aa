import { ApiKeyEntity } from '../keys/entity.ts'
import { CallEntity } from '../calls/entity.ts'
import { ChannelNumberEntity } from '../numbers/entity.ts'
import { ConversationEntity } from '../messages/conversation-entity.ts'
import { IdempotentRequestEntity } from '../idempotency/entity.ts'
import { MessageEntity } from '../messages/entity.ts'
import { MessageFileEntity } from '../files/entity.ts'
import { NumberLeaseEntity } from '../leases/entity.ts'
import { PairingLinkEntity } from '../pairing/entity.ts'
import { StoredEventEntity } from '../events/entity.ts'
import { TenantEntity } from '../tenants/entity.ts'
import { WebhookEntity } from '../webhooks/entity.ts'
import { WebhookLogEntity } from '../webhooks/log-entity.ts'

/** Every table the ORM knows; a test holds them against the migrations. */
export const ENTITIES = [
  TenantEntity, ChannelNumberEntity, ApiKeyEntity, PairingLinkEntity, CallEntity, NumberLeaseEntity, StoredEventEntity, IdempotentRequestEntity,
  WebhookEntity, WebhookLogEntity, ConversationEntity, MessageEntity, MessageFileEntity,
]
