export { Client, pages, type Page } from './client.ts'
export { ChannelError } from './error.ts'
export {
  RealtimeSession,
  type RealtimeAudio,
  type RealtimeEnd,
  type RealtimeEvent,
  type RealtimeOptions,
} from './realtime.ts'
export type { ClientOptions, RequestOptions } from './request.ts'
export {
  isServiceEvent,
  verifyWebhook,
  WebhookVerificationError,
  type Delivery,
  type WebhookBody,
  type WebhookEvent,
} from './webhook.ts'
export type * from './types.gen.ts'
