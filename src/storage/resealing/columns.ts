import type { FlowId, FlowKeyId, LeadId, NumberId } from '../../domain/ids.ts'
import type { SetAsideLine } from '../../domain/set-aside.ts'
import type { WebhookId } from '../../domain/webhook.ts'
import { adAccessContext } from '../ads/store.ts'
import { endpointContext, keyContext } from '../flow-keys/store.ts'
import { answerContext } from '../idempotency/store.ts'
import { keyIdContext, rawKeyContext } from '../keys/material.ts'
import { pageSecretContext, pageTokenContext } from '../lead-pages/row.ts'
import { orderContext } from '../leads/row.ts'
import { credentialsContext, verifyTokenContext, voiceHeadersContext } from '../numbers/rows.ts'
import { setAsideContext } from '../set-aside/store.ts'
import { secretContext } from '../webhooks/store.ts'
import { installationContext } from './installed-cipher.ts'

/** A column whose texts are sealed. */
export interface SealedColumn {
  readonly table: string
  readonly column: string
  /** Columns of the primary key, in its order, with their types. */
  readonly key: Readonly<Record<string, 'text' | 'bigint'>>
  /** Other columns that the context is made of. */
  readonly beside?: readonly string[]
  /** The context that a row's text is sealed with. */
  readonly contextOf: (row: Readonly<Record<string, string>>) => string
}

const ID = { id: 'text' } as const

function of<Id extends string>(context: (id: Id) => string, column = 'id'): SealedColumn['contextOf'] {
  return (row) => context(row[column] as Id)
}

/** Every sealed column; a test compares the list with the tables. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  {
    table: 'installation_secrets',
    column: 'sealed',
    key: { name: 'text' },
    contextOf: of(installationContext, 'name'),
  },
  { table: 'api_keys', column: 'sealed_id', key: { id_hash: 'text' }, contextOf: of(keyIdContext, 'id_hash') },
  { table: 'api_keys', column: 'sealed_key', key: { id_hash: 'text' }, contextOf: of(rawKeyContext, 'id_hash') },
  { table: 'channel_numbers', column: 'sealed_credentials', key: ID, contextOf: of<NumberId>(credentialsContext) },
  { table: 'channel_numbers', column: 'sealed_verify_token', key: ID, contextOf: of<NumberId>(verifyTokenContext) },
  { table: 'channel_numbers', column: 'sealed_voice_headers', key: ID, contextOf: of<NumberId>(voiceHeadersContext) },
  { table: 'webhooks', column: 'sealed_secret', key: ID, contextOf: of<WebhookId>(secretContext) },
  { table: 'webhooks', column: 'sealed_previous_secret', key: ID, contextOf: of<WebhookId>(secretContext) },
  { table: 'flows', column: 'sealed_endpoint_secret', key: ID, contextOf: of<FlowId>(endpointContext) },
  { table: 'flow_keys', column: 'sealed_private_key', key: ID, contextOf: of<FlowKeyId>(keyContext) },
  { table: 'lead_pages', column: 'sealed_token', key: { page_id: 'text' }, contextOf: of(pageTokenContext, 'page_id') },
  {
    table: 'lead_pages',
    column: 'sealed_app_secret',
    key: { page_id: 'text' },
    contextOf: of(pageSecretContext, 'page_id'),
  },
  {
    table: 'ad_access',
    column: 'sealed_token',
    key: { number_id: 'text' },
    contextOf: of<NumberId>(adAccessContext, 'number_id'),
  },
  { table: 'leads', column: 'sealed_auto_send', key: ID, contextOf: of<LeadId>(orderContext) },
  {
    table: 'set_aside',
    column: 'sealed',
    key: { id: 'bigint' },
    beside: ['line', 'item'],
    contextOf: (row) => setAsideContext(row['line'] as SetAsideLine, row['item'] ?? ''),
  },
  {
    table: 'idempotent_requests',
    column: 'sealed_body',
    key: { key_id_hash: 'text', key: 'text' },
    beside: ['sealed_for'],
    contextOf: (row) => answerContext(row['sealed_for'] ?? row['key_id_hash'] ?? '', row['key'] ?? ''),
  },
]
