import test from 'ava'
import { EmbedSessionEntity } from '../../../src/storage/embed-sessions/entity.ts'
import { rowsOf } from '../../../src/storage/engine/rows-of.ts'
import { TemplateEntity } from '../../../src/storage/templates/entity.ts'
import { WebhookEntity } from '../../../src/storage/webhooks/entity.ts'
import { MessageFileEntity } from '../../../src/storage/files/entity.ts'

test('columns are named as the ORM names them, of an alias too', (t) => {
  const rows = rowsOf(TemplateEntity).without('body', 'examples')
  t.is(rows.columns.correctCategory, 'correct_category')
  t.is(rows.of('t').askTries, 't.ask_tries')
  t.true(rows.list('t').startsWith('t.id, t.tenant_id, t.account_id, '))
  t.false(rows.list().split(', ').includes('body'))
  t.like(rows.types, { id: 'text', variables: 'text', sendable: 'boolean', ask_tries: 'integer', asked_until: 'timestamptz' })
})

test('a row is read as its entity says: times, JSON in texts, integers beyond 32 bits, and null', (t) => {
  const files = rowsOf(MessageFileEntity).without('id', 'tenantId', 'numberId', 'templateId', 'path', 'mimeType', 'expiresAt')
  t.deepEqual(files.read({ size_bytes: '5000000000', file_name: null, created_at: '2026-01-02 03:04:05.678+00' }),
    { sizeBytes: 5_000_000_000, fileName: null, createdAt: new Date('2026-01-02T03:04:05.678Z') })
  const wordings = rowsOf(TemplateEntity).without(...ONLY_WORDING)
  t.deepEqual(wordings.read({ variables: '["a","b"]', submitted: null, sendable: true }), { variables: ['a', 'b'], submitted: null, sendable: true })
})

test('what is written of a record is what a recordset takes, and nothing else of it', (t) => {
  const webhooks = rowsOf(WebhookEntity).without('id', 'tenantId', 'numberId', 'provider', 'name', 'url', 'sealedSecret', 'sealedPreviousSecret', 'lastTriggered', 'failingSince', 'disabledReason',
    'removedAt', 'updatedAt')
  const record = { active: true, events: ['call.ended'], previousUntil: null, createdAt: new Date(0), id: 'wh_1' } as const
  t.deepEqual(webhooks.write({ ...record, events: [...record.events] }), { active: true, events: ['call.ended'], previous_until: null, created_at: '1970-01-01T00:00:00.000Z' })
  const wordings = rowsOf(TemplateEntity).without(...ONLY_WORDING)
  t.deepEqual(wordings.write({ variables: ['a'], submitted: null, sendable: false }), { variables: '["a"]', submitted: null, sendable: false })
})

test('an entity with a column that there is no reader for is refused at once', (t) => {
  t.throws(() => rowsOf(EmbedSessionEntity), { message: 'rows cannot be read of this type of column' })
})

const ONLY_WORDING = ['id', 'tenantId', 'accountId', 'numberId', 'name', 'language', 'category', 'source', 'officialStatus', 'officialLanguage', 'body', 'examples', 'unsupported', 'externalId',
  'upstreamStatus', 'statusReason', 'statusDescription', 'quality', 'requestedCategory', 'correctCategory', 'parameters', 'files', 'applied', 'ask', 'askedUntil', 'askTries', 'submittedAt',
  'createdAt', 'updatedAt'] as const
