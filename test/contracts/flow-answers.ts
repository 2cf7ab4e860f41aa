import { newId, type FlowId, type MessageId } from '../../src/domain/ids.ts'
import type { Fields } from '../../src/domain/json-fields.ts'
import type { ChannelNumber } from '../../src/domain/number.ts'
import type { Database } from '../../src/storage/engine/database.ts'
import { toRecordset } from '../../src/storage/engine/rows.ts'
import { ID_COLUMNS, idFields, quotedFields } from '../../src/storage/message-keys/ids.ts'
import { ANSWER_COLUMNS, answerCtes, answerFields, JOIN_NAMED } from '../../src/storage/flow-responses/sql.ts'

/** A sent message with a Flow; without an upstream id it waits in the queue. */
export interface SentFlow {
  readonly flowId: FlowId | null
  readonly token?: string | null
  readonly externalId?: string | null
  readonly conversationId?: string
}

/** A received message. */
export interface CameIn {
  readonly contextId?: string | null
  readonly token?: string | null
  readonly at: Date
  readonly response?: Fields | null
  readonly rawResponse?: string | null
  readonly contactName?: string | null
  /** The upstream's id of it; by default a new one. */
  readonly externalId?: string
  readonly conversationId?: string
}

export const CONVERSATION = 'conv_of_ada'
const CONTACT = '5511999990000'

const COLUMNS = `number_id text, tenant_id text, conversation_id text, ${ID_COLUMNS}, from_address text, from_name text, quoted_id text, quoted_key text, at timestamptz, is_kept boolean, ${ANSWER_COLUMNS}`
const STORE = `with ${answerCtes(`select * from json_to_recordset($1::json) as c (${COLUMNS})`)} select 1 from responded`

const SEND = `insert into messages (id, tenant_id, number_id, provider, conversation_id, conversation_type, direction, status, type, external_id, due_at, attempted_at, created_at, flow_id, flow_token)
  values ($1, $2, $3, 'OFFICIAL', $4, 'DIRECT', 'OUTBOUND', case when $5::text is null then 'QUEUED' else 'SENT' end, 'flow', $5, case when $5::text is null then now() end, now(), now(), $6, $7)`

const SETTLE = `update messages set external_id = $2, due_at = null, status = 'SENT' where id = $1`

/** The part of the message store that deals with Flows, alone. */
export class AnswerRig {
  readonly #database: () => Database
  #came = 0

  constructor(database: () => Database) {
    this.#database = database
  }

  async send(
    { id: numberId, tenantId }: ChannelNumber,
    { flowId, token = null, externalId = null, conversationId = CONVERSATION }: SentFlow,
  ): Promise<MessageId> {
    const id = newId('msg')
    await this.#database().query(SEND, [id, tenantId, numberId, conversationId, externalId, flowId, token])
    return id
  }

  /** Stores received messages in one statement; resolves to how many answers were stored. */
  async store({ id: numberId, tenantId }: ChannelNumber, came: readonly CameIn[], isKept = true): Promise<number> {
    const rows = came.map(
      ({
        contextId = null,
        token = null,
        at,
        response = { name: 'Ada' },
        rawResponse = null,
        contactName = 'Ada',
        externalId = `wamid.${numberId}.${++this.#came}`,
        conversationId = CONVERSATION,
      }) => ({
        number_id: numberId,
        tenant_id: tenantId,
        conversation_id: conversationId,
        ...idFields(externalId),
        from_address: CONTACT,
        from_name: contactName,
        ...quotedFields(contextId),
        at,
        is_kept: isKept,
        ...answerFields({ id: newId('fres'), flowToken: token, response, rawResponse }),
      }),
    )
    return (await this.#database().query(STORE, [toRecordset(rows)])).length
  }

  /**
   * Settles a message with its upstream id, and joins answers to it. Does not tell how many: a purge of the same
   * database may join them in between.
   */
  async settle(messageId: MessageId, externalId: string): Promise<void> {
    await this.#database().query(SETTLE, [messageId, externalId])
    await this.#database().queryKept(JOIN_NAMED, [[externalId]])
  }
}
