import { official } from '../../domain/kinds/official.ts'
import { unofficial } from '../../domain/kinds/unofficial.ts'

/** Ids and times of the examples in the document: the same everywhere, so that they read as one story. */
export const SAMPLE = {
  numberId: 'num_01kb0000000000000000000000',
  officialNumberId: 'num_01kb0000000000000000000001',
  provider: unofficial.name,
  officialProvider: official.name,
  callId: 'call_01kb0000000000000000000000',
  messageId: 'msg_01kb0000000000000000000000',
  conversationId: 'conv_01kb0000000000000000000000',
  templateId: 'tpl_01kb0000000000000000000000',
  flowId: 'flow_01kb0000000000000000000000',
  leadId: 'lead_01kb0000000000000000000000',
  backfillId: 'lbf_01kb0000000000000000000000',
  /** Ids of upstream. */
  pageId: '102938475610293847',
  formId: '564738291056473829',
  appId: '738291056473829',
  webhookId: 'wh_01kb0000000000000000000000',
  embedSessionId: 'emb_01kb0000000000000000000000',
  /** Has the form of an embed token, and belongs to no session. */
  embedToken: 'emb_01kb0000000000000000000000.example000000000000000000000000000000000000',
  userId: 'usr_01kb0000000000000000000000',
  logId: 'log_01kb0000000000000000000000',
  eventId: 'evt_01kb0000000000000000000000',
  keyId: 'key_01kb0000000000000000000000',
  /** Has the form of a key, and can be none, because its checksum is wrong ([keys.form.3]). */
  key: 'cms_example0000000000000000000000000000000000000000000',
  number: '5511988887777',
  peer: '5511999990001',
  createdAt: '2026-01-05T12:00:00.000Z',
  /** One second, and three seconds, later than `createdAt`. */
  soonAfter: '2026-01-05T12:00:01.000Z',
  later: '2026-01-05T12:00:03.000Z',
} as const
