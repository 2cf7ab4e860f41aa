import type { NewEvent } from '../../domain/events.ts'
import { newId } from '../../domain/ids.ts'
import type { MessageChange } from '../../domain/message-change.ts'
import { Turns } from '../../domain/turns.ts'
import type { Cipher } from '../../ports/cipher.ts'
import type { Fence } from '../../ports/leases.ts'
import type {
  ChangeResult,
  IncomingMessage,
  InboxResult,
  MessageInbox,
  NamedPeer,
  StatusReport,
} from '../../ports/stores/message-inbox.ts'
import { referralFields } from '../referrals/sql.ts'
import { changeMessages, type Changing } from './changes.ts'
import { contentText } from './content.ts'
import { writeMessages } from '../engine/deadlock.ts'
import type { Engine } from '../engine/engine.ts'
import { fenceFields, runFenced } from '../engine/fence.ts'
import { Gathered } from '../engine/gathered.ts'
import { answerFields, joinNamed } from '../flow-responses/sql.ts'
import { peerIdsOf } from '../conversations/conversation-id.ts'
import { receiving, REPORT, tellStatement, type ReceivedItem, type ReportedItem } from './inbox-sql.ts'
import { idFields, idsOf, quotedFields } from '../message-keys/ids.ts'
import { Names, type Naming } from './names.ts'
import { failureFields } from './moves.ts'
import { toRecordset } from '../engine/rows.ts'

interface Receive {
  readonly fence: Fence
  readonly message: IncomingMessage
}

interface Report {
  readonly fence: Fence
  readonly report: StatusReport
}

/** A message in the form that `receiveSql` takes. */
function incomingRow(cipher: Cipher, { fence, message }: Receive, place: number) {
  const { peer, content, flowReply, referral } = message
  const ids = peerIdsOf(cipher, fence.numberId, peer)
  return {
    place,
    ...fenceFields(fence),
    id: message.id,
    ...idFields(message.externalMessageId),
    named_id: ids.id,
    other_ids: ids.others,
    kind: message.conversationType,
    peer,
    peer_name: message.peerName,
    is_from_me: message.isFromMe,
    from_address: message.from,
    from_name: message.fromName,
    to_address: message.to,
    type: message.type,
    content: contentText(content),
    ...quotedFields(message.quotedMessageId),
    at: message.happenedAt,
    is_unread: message.isUnread,
    events: toldBy(message),
    ...answerFields(flowReply && { id: newId('fres'), ...flowReply }),
    ...referralFields(referral),
  }
}

/** Events of a message in the form that the statement reads, `data` already as the text that will be delivered. */
function toldBy({ events, replyEvent }: IncomingMessage) {
  const listed = [
    ...events.map((event) => ({ event, isReply: false })),
    ...(replyEvent === null ? [] : [{ event: replyEvent, isReply: true }]),
  ]
  return listed.map(({ event: { event, data, trace }, isReply }) => ({
    id: newId('evt'),
    event,
    data: JSON.stringify(data),
    trace,
    isReply,
  }))
}

/** A report in the form that `reportSql` takes. */
function reportRow({ fence, report }: Report, place: number) {
  const { messageId, externalMessageId, status, at, failure, priceCategory, recipient } = report
  return {
    place,
    ...fenceFields(fence),
    message_id: messageId,
    ...idFields(externalMessageId),
    status,
    at,
    happened: at.toISOString(),
    price_category: priceCategory,
    recipient,
    skipped_event_id: status === 'READ' ? newId('evt') : null,
    event_id: newId('evt'),
    ...(failure === null ? {} : failureFields(failure)),
  }
}

type Received = Exclude<InboxResult, 'unknown'>

/** The outcome of a write. `isAwaited` is true when a change came before its message. */
interface Written<R> {
  readonly result: R
  readonly isAwaited: boolean
}

/** The texts that name the message quoted by a message. */
function quotedIn(item: Receive | undefined): string[] {
  const id = item?.message.quotedMessageId
  return id ? idsOf([id]) : []
}

/** The texts that name the message of a report. */
function namedIn(item: Report | undefined): string[] {
  return item ? idsOf([item.report.externalMessageId]) : []
}

/** Our choice: most writes of one statement, because inbound messages may be long. */
const BATCH = 100

/** What upstream tells of messages, stored as rows. Everything a node hears for all its numbers shares statements. */
export class SqlMessageInbox implements MessageInbox {
  #database: Engine['database']
  #cipher: Engine['cipher']
  #clock: Engine['clock']
  #onEvents: Engine['onEvents']
  #onAds: Engine['onAds']
  #receives: Gathered<Receive, Written<Received>>
  #reports: Gathered<Report, Written<InboxResult>>
  #changes: Gathered<Changing, ChangeResult | 'fenced'>
  #names: Names
  #namings: Gathered<Naming, Received>
  /**
   * A message and its change, or the naming of its sender, that come at the same time must not miss each other: each
   * statement here sees what the one before it stored.
   */
  readonly #turns = new Turns()

  constructor({
    database,
    cipher,
    clock,
    onEvents,
    onAds,
    onChanged,
  }: Pick<Engine, 'database' | 'cipher' | 'clock' | 'onEvents' | 'onAds' | 'onChanged'>) {
    this.#database = database
    this.#cipher = cipher
    this.#clock = clock
    this.#onEvents = onEvents
    this.#onAds = onAds
    this.#receives = new Gathered({
      run: (items) => this.#turns.run(() => this.#runReceives(items)),
      weightOf: () => 1,
      maxWeight: BATCH,
    })
    this.#reports = new Gathered({ run: (items) => this.#runReports(items), weightOf: () => 1, maxWeight: BATCH })
    this.#changes = new Gathered({
      run: (items) => this.#turns.run(() => changeMessages({ database, clock, onChanged, onEvents }, items)),
      weightOf: () => 1,
      maxWeight: BATCH,
    })
    this.#names = new Names({ database, cipher, clock, onChanged })
    this.#namings = new Gathered({
      run: (items) => this.#turns.run(() => this.#names.store(items)),
      weightOf: () => 1,
      maxWeight: BATCH,
    })
  }

  async receive(fence: Fence, message: IncomingMessage): Promise<Received> {
    return this.#catchUp(fence, message.externalMessageId, await this.#receives.add({ fence, message }))
  }

  async report(fence: Fence, report: StatusReport): Promise<InboxResult> {
    return this.#catchUp(fence, report.externalMessageId, await this.#reports.add({ fence, report }))
  }

  change(fence: Fence, change: MessageChange): Promise<ChangeResult | 'fenced'> {
    return this.#changes.add({ fence, externalMessageId: change.externalMessageId, change })
  }

  async name(fence: Fence, peer: NamedPeer): Promise<Received> {
    return this.#names.isKnown({ fence, peer }) ? 'stale' : this.#namings.add({ fence, peer })
  }

  async tell(fence: Fence, events: readonly NewEvent[]): Promise<'applied' | 'fenced'> {
    const { sql, values } = tellStatement(fence, events, this.#clock.now())
    const rows = await this.#database.query<{ is_owner: boolean }>(sql, values)
    if (!rows[0]?.is_owner) return 'fenced'
    if (events.length > 0) this.#onEvents()
    return 'applied'
  }

  /** Applies changes that waited for a message. Until then upstream gets no acknowledgement of the message. */
  async #catchUp<R>(fence: Fence, externalMessageId: string, { result, isAwaited }: Written<R>): Promise<R | 'fenced'> {
    if (!isAwaited) return result
    const caughtUp = await this.#changes.add({ fence, externalMessageId, change: null })
    return caughtUp === 'fenced' ? caughtUp : result
  }

  async #runReceives(items: readonly Receive[]): Promise<Written<Received>[]> {
    let [isTold, hasAds] = [false, false]
    const results = await runFenced<Receive, ReceivedItem, Written<Received>>(
      items,
      async (some, isAlone) => {
        const given = [toRecordset(some.map((item, place) => incomingRow(this.#cipher, item, place))), this.#now()]
        const statement = receiving({
          hasAnswers: some.some(({ message }) => message.flowReply !== null),
          hasReferrals: some.some(({ message }) => message.referral !== null),
        })
        const rows = await writeMessages(() => this.#database.queryKept<ReceivedItem>(statement(isAlone), given))
        isTold ||= rows.some((row) => row.is_told)
        hasAds ||= rows.some((row) => row.has_ads)
        await joinNamed(
          this.#database,
          rows.flatMap((row) => (row.has_waiting_answer ? quotedIn(some[row.place]) : [])),
        )
        return rows
      },
      (row) => ({ result: row.is_applied ? 'applied' : 'stale', isAwaited: row.is_awaited }),
    )
    if (isTold) this.#onEvents()
    if (hasAds) this.#onAds()
    return results.map(orFenced)
  }

  async #runReports(items: readonly Report[]): Promise<Written<InboxResult>[]> {
    const results = await runFenced<Report, ReportedItem, Written<InboxResult>>(
      items,
      async (some, isAlone) => {
        const given = [toRecordset(some.map(reportRow)), this.#now()]
        const rows = await writeMessages(() => this.#database.queryKept<ReportedItem>(REPORT(isAlone), given))
        await joinNamed(
          this.#database,
          rows.flatMap((row) => (row.is_flow_named ? namedIn(some[row.place]) : [])),
        )
        await Promise.all(rows.map((row) => this.#nameOf(some[row.place], row.other_name)))
        return rows
      },
      (row) => ({
        result: row.is_applied ? 'applied' : row.is_known ? 'stale' : 'unknown',
        isAwaited: row.is_known && row.is_awaited,
      }),
    )
    const written = results.map(orFenced)
    if (written.some(({ result }) => result === 'applied')) this.#onEvents()
    return written
  }

  /** Joins both addresses of a person whom a status names by another one than the message was sent to. */
  async #nameOf(item: Report | undefined, sentTo: string | null): Promise<void> {
    const recipient = item?.report.recipient
    if (item && recipient && sentTo !== null) await this.name(item.fence, { addresses: [recipient, sentTo] })
  }

  #now(): string {
    return new Date(this.#clock.now()).toISOString()
  }
}

function orFenced<R>(written: Written<R> | 'fenced'): Written<R | 'fenced'> {
  return written === 'fenced' ? { result: written, isAwaited: false } : written
}
