import { ApiKeyEntity } from './entities/api-key.ts'
import { CallEntity } from './entities/call.ts'
import { ChannelNumberEntity } from './entities/channel-number.ts'
import { IdempotentRequestEntity } from './entities/idempotent-request.ts'
import { NumberLeaseEntity } from './entities/number-lease.ts'
import { OutboxEventEntity } from './entities/outbox-event.ts'
import { PairingLinkEntity } from './entities/pairing-link.ts'
import { TenantEntity } from './entities/tenant.ts'

/** Every table the ORM knows; a test holds them against the migrations. */
export const ENTITIES = [
  TenantEntity, ChannelNumberEntity, ApiKeyEntity, PairingLinkEntity, CallEntity, NumberLeaseEntity, OutboxEventEntity, IdempotentRequestEntity,
]
