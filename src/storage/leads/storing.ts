import { newId, type ConversationId, type EventId, type LeadId, type NumberId } from '../../domain/ids.ts'
import type { NumberRef } from '../../domain/number.ts'
import type { Lead } from '../../domain/lead.ts'
import { readRetention } from '../../domain/retention.ts'
import type { CapturedLead, LeadStore, SettledLead, StoreLeadResult, StoringFacts } from '../../ports/stores/lead-store.ts'
import { wantAdsCte } from '../ads/want.ts'
import type { SqlSession } from '../engine/database.ts'
import type { Engine } from '../engine/engine.ts'
import { eventCtes, toOutboxParameter } from '../engine/outbox.ts'
import { recordset, toDate, toDateOrNull, toRecordset } from '../engine/rows.ts'
import { toSettings, type FormRow } from '../lead-pages/row.ts'
import { conversationIdOf } from '../messages/conversation-id.ts'
import { countLeadsCte } from './counts.ts'
import { orderContext } from './row.ts'

/** Held until the lead is stored: whoever removes the number waits, and then removes the lead; whoever changes its mode waits, too. Numbers before Pages, as by everybody. */
const LOCK_NUMBER = `select n.id, n.tenant_id as "tenantId", n.provider, n.number, n.pii_mode, n.pii_retention_days
  from lead_pages p join channel_numbers n on n.id = p.number_id where p.page_id = $1 for share of n`

/** One lead of a Page at a time: what its form has been answered with is then known, and to which number it belongs. */
const LOCK_PAGE = 'select 1 from lead_pages where page_id = $1 and number_id = $2 for no key update'

/** What is to be known under the locks, in a statement of its own: it sees all that was stored before they were got. */
const FACTS = `select exists (select 1 from leads l where l.leadgen_id = $3) as is_known, f.consent_key, f.auto_send,
    a.ad_name, a.adset_name, a.campaign_name, a.names_resolved_at
  from (select 1) one left join lead_forms f on f.page_id = $1 and f.form_id = $2 left join ads a on a.number_id = $4 and a.ad_id = $5`

const CONVERSATION = 'select id, last_message_at from conversations where id = $1 and number_id = $2'

const ANSWERED = `select exists (select 1 from leads where contact_id = $1 and form_id = $2 and received_at >= $3::timestamptz and auto_send_status in ('pending', 'sent')) as is_answered`

const FORGET_NOTICE = 'delete from lead_notices where leadgen_id = $1'

const COLUMNS = {
  id: 'text', leadgen_id: 'text', tenant_id: 'text', number_id: 'text', page_id: 'text', page_name: 'text', form_id: 'text', form_name: 'text', ad_id: 'text', ad_name: 'text',
  adset_name: 'text', campaign_name: 'text', platform: 'text', is_organic: 'boolean', full_name: 'text', email: 'text', phone: 'text', fields: 'text', consent_given: 'boolean',
  contact_id: 'text', auto_send_status: 'text', auto_send_reason: 'text', sealed_auto_send: 'text', auto_send_due_at: 'timestamptz', source: 'text', is_redacted: 'boolean',
  event_id: 'text', created_at: 'timestamptz', received_at: 'timestamptz',
} as const
const NAMES = Object.keys(COLUMNS).join(', ')

/** Everything in one statement, which does nothing where the lead is known already: `$1` the row, `$2` the event, `$3` the present. */
const STORE = `with made as (
    insert into leads (${NAMES}) select ${NAMES} from json_to_recordset($1::json) as l (${recordset(COLUMNS)})
    on conflict (leadgen_id) do nothing
    returning id, leadgen_id, tenant_id, number_id, page_id, form_id, ad_id, ad_name, created_at, received_at
  ), ${eventCtes('made', '$2', '$3')}, ${wantAdsCte('select number_id, ad_id, page_id from made where ad_name is null', '$3')}, done as (
    delete from lead_notices n using made where n.leadgen_id = made.leadgen_id
  ), seen as (
    update lead_pages p set last_lead_at = greatest(p.last_lead_at, made.received_at) from made where p.page_id = made.page_id
  ), ${countLeadsCte('made', 1)}
  select 1 from made`

interface NumberRow extends NumberRef {
  readonly pii_mode: string
  readonly pii_retention_days: number | null
}

interface FactsRow extends FormRow {
  readonly is_known: boolean
  readonly ad_name: string | null
  readonly adset_name: string | null
  readonly campaign_name: string | null
  readonly names_resolved_at: string | null
}

type Conversation = Awaited<ReturnType<StoringFacts['conversationWith']>>
type Settle = Parameters<LeadStore['store']>[1]
type Stored = StoreLeadResult | { readonly kind: 'moved' }

/** Stores one lead in an open transaction. */
export class LeadStoring {
  readonly #engine: Pick<Engine, 'cipher'>
  readonly #session: SqlSession
  readonly #lead: CapturedLead
  readonly #now: Date
  readonly #conversations = new Map<ConversationId, Promise<Conversation>>()

  constructor(engine: Pick<Engine, 'cipher' | 'clock'>, session: SqlSession, lead: CapturedLead) {
    this.#engine = engine
    this.#session = session
    this.#lead = lead
    this.#now = new Date(engine.clock.now())
  }

  /** `moved`: the Page went to another number just now; again, in another transaction. */
  async store(settle: Settle): Promise<Stored> {
    const { pageId } = this.#lead
    const [found] = await this.#session.query<NumberRow>(LOCK_NUMBER, [pageId])
    if (!found) return { kind: 'gone' }
    const { pii_mode: piiMode, pii_retention_days: piiRetentionDays, ...number } = found
    if ((await this.#session.query(LOCK_PAGE, [pageId, number.id])).length === 0) return { kind: 'moved' }
    const facts = await this.#factsOf(number.id)
    if (facts.is_known) return this.#known()
    const retention = readRetention({ piiMode, piiRetentionDays })
    if (retention === null) return { kind: 'waits' }
    const id = newId('lead')
    const settled = await settle({
      id, tenantId: number.tenantId, number, retention, settings: toSettings(facts), now: this.#now,
      conversationWith: (digits) => this.#conversationWith(this.#contactOf(number.id, digits), number.id),
      wasAnsweredSince: (digits, since) => this.#wasAnswered(this.#contactOf(number.id, digits), since),
    })
    const lead = await this.#settledLead(id, number, facts, settled)
    const isNew = await this.#insert(lead, settled)
    return isNew ? { kind: 'stored', lead } : this.#known()
  }

  async #known(): Promise<Stored> {
    await this.#session.query(FORGET_NOTICE, [this.#lead.leadgenId])
    return { kind: 'known' }
  }

  async #factsOf(numberId: NumberId): Promise<FactsRow> {
    const { pageId, formId, leadgenId, adId } = this.#lead
    const [facts] = await this.#session.query<FactsRow>(FACTS, [pageId, formId, leadgenId, numberId, adId])
    if (!facts) throw new Error('facts of a lead were not answered')
    return facts
  }

  #contactOf(numberId: NumberId, digits: string): ConversationId {
    return conversationIdOf(this.#engine.cipher, numberId, digits)
  }

  /** Looked up once, however often it is asked for. */
  #conversationWith(id: ConversationId, numberId: NumberId): Promise<Conversation> {
    const known = this.#conversations.get(id)
    if (known) return known
    const asked = this.#session.query<{ id: ConversationId, last_message_at: string }>(CONVERSATION, [id, numberId])
      .then(([row]) => row ? { id: row.id, lastMessageAt: toDate(row.last_message_at) } : null)
    this.#conversations.set(id, asked)
    return asked
  }

  async #wasAnswered(contactId: ConversationId, since: Date): Promise<boolean> {
    const [row] = await this.#session.query<{ is_answered: boolean }>(ANSWERED, [contactId, this.#lead.formId, since.toISOString()])
    return row?.is_answered ?? false
  }

  /** The lead as a read shows what is stored now. */
  async #settledLead(id: LeadId, number: NumberRef, facts: FactsRow, { consentGiven, phoneDigits, isRedacted, autoSend }: SettledLead): Promise<Lead> {
    const lead = this.#lead
    const conversation = phoneDigits === null ? null : await this.#conversationWith(this.#contactOf(number.id, phoneDigits), number.id)
    return {
      ...lead, id, tenantId: number.tenantId, channelNumberId: number.id, consentGiven, conversationId: conversation?.id ?? null, isRedacted,
      ...(isRedacted ? { fullName: null, email: null, phone: null, fields: [] } : {}),
      adName: lead.adName ?? facts.ad_name, adsetName: lead.adsetName ?? facts.adset_name, campaignName: lead.campaignName ?? facts.campaign_name,
      namesResolvedAt: lead.adId === null || lead.adName !== null ? this.#now : toDateOrNull(facts.names_resolved_at),
      autoSendStatus: autoSend.status, autoSendReason: autoSend.status === 'skipped' ? autoSend.reason : null, autoSendMessageId: null, receivedAt: this.#now,
    }
  }

  async #insert(lead: Lead, { phoneDigits, autoSend, eventOf }: SettledLead): Promise<boolean> {
    const event = eventOf === null ? '[]' : toOutboxParameter([eventOf(lead)])
    const [told] = JSON.parse(event) as { readonly id: EventId }[]
    const now = this.#now.toISOString()
    // Names that are the ad's stay with the ad.
    const { adName, adsetName, campaignName } = this.#lead
    const row: Record<keyof typeof COLUMNS, string | boolean | null> = {
      id: lead.id, leadgen_id: lead.leadgenId, tenant_id: lead.tenantId, number_id: lead.channelNumberId, page_id: lead.pageId, page_name: lead.pageName, form_id: lead.formId,
      form_name: lead.formName, ad_id: lead.adId, ad_name: adName, adset_name: adsetName, campaign_name: campaignName, platform: lead.platform, is_organic: lead.isOrganic,
      full_name: lead.fullName, email: lead.email, phone: lead.phone, fields: JSON.stringify(lead.fields), consent_given: lead.consentGiven,
      contact_id: phoneDigits === null ? null : this.#contactOf(lead.channelNumberId, phoneDigits), auto_send_status: autoSend.status, auto_send_reason: lead.autoSendReason,
      sealed_auto_send: autoSend.status === 'pending' ? this.#engine.cipher.seal(JSON.stringify(autoSend.order), orderContext(lead.id)) : null,
      auto_send_due_at: autoSend.status === 'pending' ? now : null, source: lead.source, is_redacted: lead.isRedacted, event_id: told?.id ?? null,
      created_at: lead.createdAt.toISOString(), received_at: now,
    }
    return (await this.#session.query(STORE, [toRecordset([row]), event, now])).length > 0
  }
}
