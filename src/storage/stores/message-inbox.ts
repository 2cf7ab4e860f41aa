import type { NewEvent } from '../../domain/events.ts'
import { newId } from '../../domain/ids.ts'
import type { Cipher } from '../../ports/cipher.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Fence } from '../../ports/leases.ts'
import type { IncomingMessage, InboxResult, MessageInbox, StatusReport } from '../../ports/stores/message-inbox.ts'
import { conversationIdOf } from '../conversation-id.ts'
import type { Database } from '../database.ts'
import { writeMessages } from '../deadlock.ts'
import { failureFields } from '../failure-fields.ts'
import { fenceFields, runFenced } from '../fenced-batch.ts'
import { Gathered } from '../gathered.ts'
import { receiveSql, reportSql, tellStatement, type ReceiveRow, type ReportRow } from '../inbox-sql.ts'
import { toRecordset } from '../rows.ts'

type Received = Exclude<InboxResult, 'unknown'>

interface Receive {
  readonly fence: Fence
  readonly message: IncomingMessage
}

interface Report {
  readonly fence: Fence
  readonly report: StatusReport
}

/** Our choice: writes one statement takes; what came in may be long. */
const BATCH = 100

/** What upstream tells of messages, as rows; what a node hears for all its numbers shares statements. */
export class SqlMessageInbox implements MessageInbox {
  #database: Database
  #cipher: Cipher
  #clock: Clock
  #onEvents: () => void
  #receives: Gathered<Receive, Received>
  #reports: Gathered<Report, InboxResult>

  /** `onEvents` is called after each commit that stored events. */
  constructor(database: Database, cipher: Cipher, clock: Clock, onEvents: () => void) {
    this.#database = database
    this.#cipher = cipher
    this.#clock = clock
    this.#onEvents = onEvents
    this.#receives = new Gathered({ run: (items) => this.#runReceives(items), weightOf: () => 1, maxWeight: BATCH })
    this.#reports = new Gathered({ run: (items) => this.#runReports(items), weightOf: () => 1, maxWeight: BATCH })
  }

  receive(fence: Fence, message: IncomingMessage): Promise<Received> {
    return this.#receives.add({ fence, message })
  }

  report(fence: Fence, report: StatusReport): Promise<InboxResult> {
    return this.#reports.add({ fence, report })
  }

  async tell(fence: Fence, events: readonly NewEvent[]): Promise<'applied' | 'fenced'> {
    const { sql, values } = tellStatement(fence, events, this.#clock.now())
    const rows = await this.#database.query<{ is_owner: boolean }>(sql, values)
    if (!rows[0]?.is_owner) return 'fenced'
    if (events.length > 0) this.#onEvents()
    return 'applied'
  }

  async #runReceives(items: readonly Receive[]): Promise<Received[]> {
    let isTold = false
    const results = await runFenced<Receive, ReceiveRow, Received>(items, async (some, isAlone) => {
      const rows = await writeMessages<ReceiveRow>(this.#database, receiveSql(isAlone), [toRecordset(some.map((item, place) => this.#toRow(item, place))), this.#now()])
      isTold ||= rows.some((row) => row.is_told)
      return rows
    }, (row) => row.is_applied ? 'applied' : 'stale')
    if (isTold) this.#onEvents()
    return results
  }

  async #runReports(items: readonly Report[]): Promise<InboxResult[]> {
    const results = await runFenced<Report, ReportRow, InboxResult>(items, (some, isAlone) => {
      const rows = some.map(({ fence, report }, place) => ({
        place, ...fenceFields(fence), message_id: report.messageId, external_id: report.externalMessageId, status: report.status,
        at: report.at, happened: report.at.toISOString(), event_id: newId('evt'), ...(report.failure === null ? {} : failureFields(report.failure)),
      }))
      return writeMessages<ReportRow>(this.#database, reportSql(isAlone), [toRecordset(rows), this.#now()])
    }, (row) => row.is_applied ? 'applied' : row.is_known ? 'stale' : 'unknown')
    if (results.includes('applied')) this.#onEvents()
    return results
  }

  #toRow({ fence, message }: Receive, place: number) {
    const { id, externalMessageId, peer, conversationType, peerName, isFromMe, from, fromName, to, type, content, quotedMessageId, happenedAt, isUnread } = message
    return {
      place, ...fenceFields(fence), id, external_id: externalMessageId, conversation_id: conversationIdOf(this.#cipher, fence.numberId, peer),
      kind: conversationType, peer, peer_name: peerName, is_from_me: isFromMe, from_address: from, from_name: fromName, to_address: to, type,
      content: JSON.stringify(content), quoted_id: quotedMessageId, at: happenedAt, is_unread: isUnread, events: toldBy(message),
    }
  }

  #now(): string {
    return new Date(this.#clock.now()).toISOString()
  }
}

/** Its events as the statement reads them, `data` already as the text that will be delivered. */
function toldBy({ events, replyEvent }: IncomingMessage) {
  const listed = [...events.map((event) => ({ event, isReply: false })), ...(replyEvent === null ? [] : [{ event: replyEvent, isReply: true }])]
  return listed.map(({ event: { event, data }, isReply }) => ({ id: newId('evt'), event, data: JSON.stringify(data), isReply }))
}
