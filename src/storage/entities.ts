import { AdEntity, AdAccessEntity } from './ads/entity.ts'
import { TenantBrandingEntity, BrandLogoEntity } from './branding/entity.ts'
import { CannedReplyEntity } from './canned-replies/entity.ts'
import { CallSessionEntity } from './call-sessions/entity.ts'
import { CallEntity } from './calls/entity.ts'
import { InboundChangeEntity, AccountChangeEntity } from './changes/entity.ts'
import { EmbedSessionEntity, EmbedSecretEntity } from './embed-sessions/entity.ts'
import { OutboxEntryEntity } from './engine/outbox-entity.ts'
import { InstallationSecretEntity } from './engine/secrets-entity.ts'
import { NumberErrandEntity } from './errands/entity.ts'
import { StoredEventEntity } from './events/entity.ts'
import { MessageFileEntity } from './files/entity.ts'
import { FlowKeyEntity } from './flow-keys/entity.ts'
import { FlowResponseEntity, FlowResponseCountsEntity } from './flow-responses/entity.ts'
import { FlowEntity, FlowSightingEntity } from './flows/entity.ts'
import { ConversationAssignmentEntity, ConversationNoteEntity } from './handling/entity.ts'
import { IdempotentRequestEntity } from './idempotency/entity.ts'
import { ApiKeyEntity } from './keys/entity.ts'
import { LeadBackfillEntity } from './lead-backfills/entity.ts'
import { LeadFormEntity, LeadNoticeEntity, LeadPageEntity } from './lead-pages/entity.ts'
import { LeadEntity, LeadCountsEntity } from './leads/entity.ts'
import { NumberLeaseEntity, NodeEntity } from './leases/entity.ts'
import { LoginFailuresEntity } from './login-failures/entity.ts'
import { ConversationEntity, ConversationAliasEntity } from './conversations/entity.ts'
import { MessageBatchEntity } from './messages/batch-entity.ts'
import {
  NumberCountsEntity,
  ConversationCountsEntity,
  CountedConversationEntity,
  CountingProgressEntity,
} from './messages/counts-entity.ts'
import { MessageEntity, MessageChangeEntity, MessageKeyFillEntity } from './messages/entity.ts'
import { ChannelNumberEntity } from './numbers/entity.ts'
import {
  OAuthClientEntity,
  OAuthInteractionEntity,
  OAuthGrantEntity,
  OAuthGrantNumberEntity,
  OAuthTokenEntity,
} from './oauth/entity.ts'
import { OfficialAccountEntity, OfficialRemovalEntity } from './official-accounts/entity.ts'
import { PairingLinkEntity } from './pairing/entity.ts'
import { ReachedPersonEntity } from './reach/entity.ts'
import { ReferralEntity } from './referrals/entity.ts'
import { SetAsideEntity } from './set-aside/entity.ts'
import { TemplateEntity, TemplateSightingEntity } from './templates/entity.ts'
import { TenantEntity } from './tenants/entity.ts'
import { UsageDayEntity } from './usage/entity.ts'
import { UserEntity, InvitationEntity } from './users/entity.ts'
import { WebSessionEntity, LoginTokenEntity } from './web-sessions/entity.ts'
import { WebhookEntity, DeliveryBatchEntity, WebhookLogEntity } from './webhooks/entity.ts'

/** Every table; a test compares them with what the migrations made. */
export const ENTITIES = [
  AdEntity,
  AdAccessEntity,
  TenantBrandingEntity,
  BrandLogoEntity,
  CallEntity,
  CallSessionEntity,
  CannedReplyEntity,
  ConversationAssignmentEntity,
  ConversationNoteEntity,
  InboundChangeEntity,
  AccountChangeEntity,
  EmbedSessionEntity,
  EmbedSecretEntity,
  OutboxEntryEntity,
  InstallationSecretEntity,
  NumberErrandEntity,
  StoredEventEntity,
  MessageFileEntity,
  FlowKeyEntity,
  FlowResponseEntity,
  FlowResponseCountsEntity,
  FlowEntity,
  FlowSightingEntity,
  IdempotentRequestEntity,
  ApiKeyEntity,
  LeadBackfillEntity,
  LeadPageEntity,
  LeadFormEntity,
  LeadEntity,
  LeadNoticeEntity,
  LeadCountsEntity,
  NumberLeaseEntity,
  NodeEntity,
  LoginFailuresEntity,
  ConversationAliasEntity,
  MessageBatchEntity,
  MessageChangeEntity,
  MessageKeyFillEntity,
  ConversationEntity,
  NumberCountsEntity,
  ConversationCountsEntity,
  CountedConversationEntity,
  CountingProgressEntity,
  MessageEntity,
  ChannelNumberEntity,
  OAuthClientEntity,
  OAuthInteractionEntity,
  OAuthGrantEntity,
  OAuthGrantNumberEntity,
  OAuthTokenEntity,
  OfficialAccountEntity,
  OfficialRemovalEntity,
  PairingLinkEntity,
  ReachedPersonEntity,
  ReferralEntity,
  SetAsideEntity,
  TemplateEntity,
  TemplateSightingEntity,
  TenantEntity,
  UsageDayEntity,
  UserEntity,
  InvitationEntity,
  WebSessionEntity,
  LoginTokenEntity,
  DeliveryBatchEntity,
  WebhookEntity,
  WebhookLogEntity,
]
