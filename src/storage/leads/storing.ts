import { newId, type ConversationId, type EventId, type LeadId, type NumberId } from '../../domain/ids.ts'
import type { NumberRef } from '../../domain/number.ts'
import type { Lead } from '../../domain/lead.ts'
import { readRetention } from '../../domain/retention.ts'
import type {
  CapturedLead,
  LeadStore,
  SettledLead,
  StoreLeadResult,
  StoringFacts,
} from '../../ports/stores/lead-store.ts'
import { wantAdsCte } from '../ads/store.ts'
import type { SqlSession } from '../engine/database.ts'
import type { Engine } from '../engine/engine.ts'
import { eventCtes, toOutboxParameter } from '../engine/outbox.ts'
import type { RowIn } from '../engine/rows-of.ts'
import { recordset, toRecordset } from '../engine/rows.ts'
import { SETTINGS, type FormRow } from '../lead-pages/row.ts'
import { findLed } from '../conversations/aliases.ts'
import { isOfParts } from '../conversations/parts.ts'
import { peerIdsOf } from '../conversations/conversation-id.ts'
import { countLeadsCte } from './listing.ts'
import { AD_NAMES, CONVERSATIONS, NUMBERS, orderContext, STORED } from './row.ts'

/**
 * Locks the number until the lead is stored, so that its removal waits and then removes the lead, and a change of its
 * mode waits too. Numbers are locked before Pages everywhere.
 */
const LOCK_NUMBER = `select ${NUMBERS.list('n')} from lead_pages p join channel_numbers n on n.id = p.number_id where p.page_id = $1 for share of n`

/**
 * Locks the Page, so that one lead of it is stored at a time. It is then known what leads of the form were answered,
 * and to which number the Page belongs.
 */
const LOCK_PAGE = 'select 1 from lead_pages where page_id = $1 and number_id = $2 for no key update'

/**
 * Reads the facts under the locks, in a statement of its own, so that it sees all that was stored before they were
 * granted.
 */
const FACTS = `select exists (select 1 from leads l where l.leadgen_id = $3) as is_known, f.consent_key, f.auto_send,
    ${AD_NAMES.list('a')}
  from (select 1) one left join lead_forms f on f.page_id = $1 and f.form_id = $2 left join ads a on a.number_id = $4 and a.ad_id = $5`

const CONVERSATION = `select ${CONVERSATIONS.list()} from conversations where id = $1 and number_id = $2`

const ANSWERED = `select exists (select 1 from leads where ${isOfParts('contact_id', '$1')} and form_id = $2 and received_at >= $3::timestamptz and auto_send_status in ('pending', 'sent')) as is_answered`

const FORGET_NOTICE = 'delete from lead_notices where leadgen_id = $1'

/**
 * Stores everything in one statement, which does nothing when the lead is known already. `$1` is the row, `$2` the
 * event, `$3` the present.
 */
const STORE = `with made as (
    insert into leads (${STORED.list()}) select ${STORED.list()} from json_to_recordset($1::json) as l (${recordset(STORED.types)})
    on conflict (leadgen_id) do nothing
    returning id, leadgen_id, tenant_id, number_id, page_id, form_id, ad_id, ad_name, created_at, received_at
  ), ${eventCtes('made', '$2', '$3')}, ${wantAdsCte('select number_id, ad_id, page_id from made where ad_name is null', '$3')}, done as (
    delete from lead_notices n using made where n.leadgen_id = made.leadgen_id
  ), seen as (
    update lead_pages p set last_lead_at = greatest(p.last_lead_at, made.received_at) from made where p.page_id = made.page_id
  ), ${countLeadsCte('made', 1)}
  select 1 from made`

type FactsRow = FormRow & RowIn<typeof AD_NAMES> & { readonly is_known: boolean }
type Conversation = Awaited<ReturnType<StoringFacts['conversationWith']>>
type Settle = Parameters<LeadStore['store']>[1]
type Stored = StoreLeadResult | { readonly kind: 'moved' }

/** Stores one lead in an open transaction. */
export class LeadStoring {
  readonly #engine: Pick<Engine, 'cipher'>
  readonly #session: SqlSession
  readonly #lead: CapturedLead
  readonly #now: Date
  readonly #contacts = new Map<string, Promise<ConversationId>>()
  readonly #conversations = new Map<ConversationId, Promise<Conversation>>()

  constructor(engine: Pick<Engine, 'cipher' | 'clock'>, session: SqlSession, lead: CapturedLead) {
    this.#engine = engine
    this.#session = session
    this.#lead = lead
    this.#now = new Date(engine.clock.now())
  }

  /**
   * Stores the lead. `moved` means that the Page has just gone to another number: store it again, in another
   * transaction.
   */
  async store(settle: Settle): Promise<Stored> {
    const { pageId } = this.#lead
    const [found] = await this.#session.query<RowIn<typeof NUMBERS>>(LOCK_NUMBER, [pageId])
    if (!found) return { kind: 'gone' }
    const { piiMode, piiRetentionDays, ...number } = NUMBERS.read(found)
    if ((await this.#session.query(LOCK_PAGE, [pageId, number.id])).length === 0) return { kind: 'moved' }
    const facts = await this.#factsOf(number.id)
    if (facts.is_known) return this.#known()
    const retention = readRetention({ piiMode, piiRetentionDays })
    if (retention === null) return { kind: 'waits' }
    const id = newId('lead')
    const settled = await settle({
      id,
      tenantId: number.tenantId,
      number,
      retention,
      settings: SETTINGS.read(facts),
      now: this.#now,
      conversationWith: async (digits) => this.#conversationWith(await this.#contactOf(number.id, digits), number.id),
      wasAnsweredSince: async (digits, since) => this.#wasAnswered(await this.#contactOf(number.id, digits), since),
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

  /** Looks up once to which conversation digits lead: the lead is stored as it was decided on. */
  #contactOf(numberId: NumberId, digits: string): Promise<ConversationId> {
    const known = this.#contacts.get(digits)
    if (known) return known
    const asked = findLed(this.#session, peerIdsOf(this.#engine.cipher, numberId, digits))
    this.#contacts.set(digits, asked)
    return asked
  }

  /** Looks a conversation up once, however often it is asked for. */
  #conversationWith(id: ConversationId, numberId: NumberId): Promise<Conversation> {
    const known = this.#conversations.get(id)
    if (known) return known
    const asked = this.#session
      .query<RowIn<typeof CONVERSATIONS>>(CONVERSATION, [id, numberId])
      .then(([row]) => (row ? CONVERSATIONS.read(row) : null))
    this.#conversations.set(id, asked)
    return asked
  }

  async #wasAnswered(contactId: ConversationId, since: Date): Promise<boolean> {
    const [row] = await this.#session.query<{ is_answered: boolean }>(ANSWERED, [
      contactId,
      this.#lead.formId,
      since.toISOString(),
    ])
    return row?.is_answered ?? false
  }

  /** The lead in the form that a read of the stored row shows. */
  async #settledLead(
    id: LeadId,
    number: NumberRef,
    facts: FactsRow,
    { consentGiven, phoneDigits, isRedacted, autoSend }: SettledLead,
  ): Promise<Lead> {
    const lead = this.#lead
    const ad = AD_NAMES.read(facts)
    const conversation =
      phoneDigits === null
        ? null
        : await this.#conversationWith(await this.#contactOf(number.id, phoneDigits), number.id)
    return {
      ...lead,
      id,
      tenantId: number.tenantId,
      channelNumberId: number.id,
      consentGiven,
      conversationId: conversation?.id ?? null,
      isRedacted,
      ...(isRedacted ? { fullName: null, email: null, phone: null, fields: [] } : {}),
      adName: lead.adName ?? ad.adName,
      adsetName: lead.adsetName ?? ad.adsetName,
      campaignName: lead.campaignName ?? ad.campaignName,
      namesResolvedAt: lead.adId === null || lead.adName !== null ? this.#now : ad.namesResolvedAt,
      autoSendStatus: autoSend.status,
      autoSendReason: autoSend.status === 'skipped' ? autoSend.reason : null,
      autoSendMessageId: null,
      receivedAt: this.#now,
    }
  }

  async #insert(lead: Lead, { phoneDigits, autoSend, eventOf }: SettledLead): Promise<boolean> {
    const event = eventOf === null ? '[]' : toOutboxParameter([eventOf(lead)])
    const [told] = JSON.parse(event) as { readonly id: EventId }[]
    // Names of the ad are stored with the ad, not with the lead.
    const { adName, adsetName, campaignName } = this.#lead
    const order = autoSend.status === 'pending' ? autoSend.order : null
    const row = STORED.write({
      ...lead,
      adName,
      adsetName,
      campaignName,
      numberId: lead.channelNumberId,
      contactId: phoneDigits === null ? null : await this.#contactOf(lead.channelNumberId, phoneDigits),
      sealedAutoSend: order && this.#engine.cipher.seal(JSON.stringify(order), orderContext(lead.id)),
      autoSendDueAt: order && this.#now,
      eventId: told?.id ?? null,
    })
    return (await this.#session.query(STORE, [toRecordset([row]), event, this.#now.toISOString()])).length > 0
  }
}
