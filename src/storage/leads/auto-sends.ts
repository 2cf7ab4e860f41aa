import type { LeadId, MessageId } from '../../domain/ids.ts'
import type { AutoSendOrder, LeadStore, TakenAutoSend } from '../../ports/stores/lead-store.ts'
import { despiteDeadlock } from '../engine/deadlock.ts'
import type { Engine } from '../engine/engine.ts'
import { rowsOf, type RowIn } from '../engine/rows-of.ts'
import { LeadEntity } from './entity.ts'
import { MOVED, NUMBER_REFS, orderContext } from './row.ts'

const TAKEN = rowsOf(LeadEntity).only('sealedAutoSend', 'receivedAt').filled<'sealedAutoSend'>()

/**
 * Takes orders that wait to be accepted; leads with a message are followed instead. `auto_send_due_at` is null for all
 * other leads.
 */
const TAKE = `with due as (
    select id from leads where auto_send_due_at <= $1::timestamptz and sealed_auto_send is not null order by auto_send_due_at limit $3 for update skip locked
  ), taken as (
    update leads l set auto_send_due_at = $2::timestamptz from due where l.id = due.id returning l.id, l.number_id, ${TAKEN.list('l')}
  )
  select t.id as lead_id, ${TAKEN.list('t')}, ${NUMBER_REFS.list('n')} from taken t join channel_numbers n on n.id = t.number_id`

/** True while an order still belongs to whoever took it. */
const CLAIMED = `id = $1 and auto_send_due_at = $2::timestamptz and sealed_auto_send is not null`

const ACCEPTED = `update leads set auto_send_message_id = $3, sealed_auto_send = null, auto_send_due_at = $4::timestamptz where ${CLAIMED}`
const FAILED = `update leads set auto_send_status = 'failed', auto_send_reason = $3, sealed_auto_send = null, auto_send_due_at = null where ${CLAIMED}`
const POSTPONED = `update leads set auto_send_due_at = $3::timestamptz where ${CLAIMED}`

/**
 * Our choice: a message that has not reached its end an hour past `deliverUntil` ([leads.auto-send.12]) is followed no
 * longer.
 */
const FOLLOWED = `interval '25 hours'`
/**
 * Our choice: pause before the next look, a quarter of the lead's age, so that a young lead is seen soon and a day of
 * looks costs little.
 */
const PAUSE = `least(interval '15 minutes', greatest(interval '2 seconds', ($1::timestamptz - l.received_at) / 4))`

/** Moves leads by the statuses of their messages. */
const FOLLOW = `with due as (
    select id from leads where auto_send_due_at <= $1::timestamptz and auto_send_message_id is not null order by auto_send_due_at limit $2 for update skip locked
  ), seen as (
    select l.id, l.auto_send_status as before, m.status,
      ${MOVED.status} as after, ${MOVED.reason} as reason,
      coalesce(m.status in ('DELIVERED', 'READ', 'FAILED', 'CANCELED'), true) or l.received_at <= $1::timestamptz - ${FOLLOWED} as is_over,
      $1::timestamptz + ${PAUSE} as again
    from due join leads l on l.id = due.id left join messages m on m.id = l.auto_send_message_id and m.number_id = l.number_id
  ), moved as (
    update leads l set auto_send_status = s.after, auto_send_reason = s.reason, auto_send_due_at = case when not s.is_over then s.again end
    from seen s where l.id = s.id returning l.auto_send_status as status, s.before
  )
  select status from moved where status <> before`

type TakenRow = RowIn<typeof TAKEN> & RowIn<typeof NUMBER_REFS> & { readonly lead_id: LeadId }

/** Templates that answer leads, from the order to the end of their messages, in columns of the leads. */
export class AutoSends implements Pick<
  LeadStore,
  'takeAutoSends' | 'autoSendAccepted' | 'autoSendFailed' | 'autoSendPostponed' | 'followAutoSends'
> {
  readonly #engine: Pick<Engine, 'database' | 'cipher' | 'clock'>

  constructor(engine: Pick<Engine, 'database' | 'cipher' | 'clock'>) {
    this.#engine = engine
  }

  async takeAutoSends(limit: number, leaseMs: number): Promise<readonly TakenAutoSend[]> {
    const claim = new Date(this.#engine.clock.now() + leaseMs)
    const rows = await this.#engine.database.query<TakenRow>(TAKE, [this.#now(), claim.toISOString(), limit])
    return rows.map((row) => {
      const { sealedAutoSend, receivedAt } = TAKEN.read(row)
      return {
        leadId: row.lead_id,
        number: NUMBER_REFS.read(row),
        order: this.#opened(row.lead_id, sealedAutoSend),
        receivedAt,
        claim,
      }
    })
  }

  /** The order, or null when it cannot be read, so that it does not keep others from being taken. */
  #opened(leadId: LeadId, sealed: string): AutoSendOrder | null {
    try {
      return JSON.parse(this.#engine.cipher.open(sealed, orderContext(leadId))) as AutoSendOrder
    } catch {
      return null
    }
  }

  async autoSendAccepted({ leadId, claim }: TakenAutoSend, messageId: MessageId): Promise<void> {
    await this.#engine.database.query(ACCEPTED, [leadId, claim.toISOString(), messageId, this.#now()])
  }

  async autoSendFailed({ leadId, claim }: TakenAutoSend, reason: string): Promise<void> {
    await this.#engine.database.query(FAILED, [leadId, claim.toISOString(), reason])
  }

  async autoSendPostponed({ leadId, claim }: TakenAutoSend, dueAt: Date): Promise<void> {
    await this.#engine.database.query(POSTPONED, [leadId, claim.toISOString(), dueAt.toISOString()])
  }

  async followAutoSends(limit: number): ReturnType<LeadStore['followAutoSends']> {
    return despiteDeadlock(() => this.#engine.database.query(FOLLOW, [this.#now(), limit]))
  }

  #now(): string {
    return new Date(this.#engine.clock.now()).toISOString()
  }
}
