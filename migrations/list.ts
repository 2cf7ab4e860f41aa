import { Initial } from './0001-initial.ts'
import { Webhooks } from './0002-webhooks.ts'
import { Official } from './0003-official.ts'
import { Messages } from './0004-messages.ts'
import { AccountChanges } from './0005-account-changes.ts'
import { OwnedAnswers } from './0006-owned-answers.ts'
import { ReplacedKeys } from './0007-replaced-keys.ts'
import { MessageCounts } from './0008-message-counts.ts'
import { LongConversations } from './0009-long-conversations.ts'
import { ChangedMessages } from './0010-changed-messages.ts'
import { ConversationAliases } from './0011-conversation-aliases.ts'
import { Templates } from './0012-templates.ts'
import { Flows } from './0013-flows.ts'
import { FlowNamesHeld } from './0014-flow-names-held.ts'
import { Leads } from './0015-leads.ts'
import { Pages } from './0016-pages.ts'
import { Inbox } from './0017-inbox.ts'
import { People } from './0018-people.ts'
import { OAuth } from './0019-oauth.ts'
import { Nodes } from './0020-nodes.ts'
import { CallMediaHosts } from './0021-call-media-hosts.ts'
import { Errands } from './0022-errands.ts'
import { Months } from './0023-months.ts'
import { Engines } from './0024-engines.ts'
import { SetAside } from './0025-set-aside.ts'
import { NumbersByAge } from './0026-numbers-by-age.ts'
import { NoticeTakers } from './0027-notice-takers.ts'
import { TokenSecret } from './0028-token-secret.ts'
import { Versions } from './0029-versions.ts'
import { FailedAttempts } from './0030-failed-attempts.ts'
import { CallsOfTenants } from './0031-calls-of-tenants.ts'
import { Checklists } from './0032-checklists.ts'
import { Usage } from './0033-usage.ts'
import { ConversationMarks } from './0034-conversation-marks.ts'
import { CannedReplies } from './0035-canned-replies.ts'

/**
 * Every migration, oldest first, registered by name so that a renamed file or class runs nothing
 * twice. A landed migration is never edited: add another.
 */
export const MIGRATIONS = [
  { name: '0001-initial', class: Initial },
  { name: '0002-webhooks', class: Webhooks },
  { name: '0003-official', class: Official },
  { name: '0004-messages', class: Messages },
  { name: '0005-account-changes', class: AccountChanges },
  { name: '0006-owned-answers', class: OwnedAnswers },
  { name: '0007-replaced-keys', class: ReplacedKeys },
  { name: '0008-message-counts', class: MessageCounts },
  { name: '0009-long-conversations', class: LongConversations },
  { name: '0010-changed-messages', class: ChangedMessages },
  { name: '0011-conversation-aliases', class: ConversationAliases },
  { name: '0012-templates', class: Templates },
  { name: '0013-flows', class: Flows },
  { name: '0014-flow-names-held', class: FlowNamesHeld },
  { name: '0015-leads', class: Leads },
  { name: '0016-pages', class: Pages },
  { name: '0017-inbox', class: Inbox },
  { name: '0018-people', class: People },
  { name: '0019-oauth', class: OAuth },
  { name: '0020-nodes', class: Nodes },
  { name: '0021-call-media-hosts', class: CallMediaHosts },
  { name: '0022-errands', class: Errands },
  { name: '0023-months', class: Months },
  { name: '0024-engines', class: Engines },
  { name: '0025-set-aside', class: SetAside },
  { name: '0026-numbers-by-age', class: NumbersByAge },
  { name: '0027-notice-takers', class: NoticeTakers },
  { name: '0028-token-secret', class: TokenSecret },
  { name: '0029-versions', class: Versions },
  { name: '0030-failed-attempts', class: FailedAttempts },
  { name: '0031-calls-of-tenants', class: CallsOfTenants },
  { name: '0032-checklists', class: Checklists },
  { name: '0033-usage', class: Usage },
  { name: '0034-conversation-marks', class: ConversationMarks },
  { name: '0035-canned-replies', class: CannedReplies },
]
