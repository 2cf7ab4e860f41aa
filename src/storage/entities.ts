import { ApiKeyEntity } from './entities/api-key.ts'
import { CallEntity } from './entities/call.ts'
import { ChannelNumberEntity } from './entities/channel-number.ts'
import { ConversationEntity } from './entities/conversation.ts'
import { IdempotentRequestEntity } from './entities/idempotent-request.ts'
import { MessageEntity } from './entities/message.ts'
import { MessageFileEntity } from './entities/message-file.ts'
import { NumberLeaseEntity } from './entities/number-lease.ts'
import { PairingLinkEntity } from './entities/pairing-link.ts'
import { StoredEventEntity } from './entities/stored-event.ts'
import { TenantEntity } from './entities/tenant.ts'
import { WebhookEntity } from './entities/webhook.ts'
import { WebhookLogEntity } from './entities/webhook-log.ts'

/** Every table the ORM knows; a test holds them against the migrations. */
export const ENTITIES = [
  TenantEntity, ChannelNumberEntity, ApiKeyEntity, PairingLinkEntity, CallEntity, NumberLeaseEntity, StoredEventEntity, IdempotentRequestEntity,
  WebhookEntity, WebhookLogEntity, ConversationEntity, MessageEntity, MessageFileEntity,
]
