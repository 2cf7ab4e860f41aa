import { defineEntity, p } from '@mikro-orm/core'
import test from 'ava'
import type { FileId } from '../../../src/domain/ids.ts'
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
  t.like(rows.types, {
    id: 'text',
    variables: 'text',
    sendable: 'boolean',
    ask_tries: 'integer',
    asked_until: 'timestamptz',
  })
})

test('a row is read as its entity says: times, JSON in texts, integers beyond 32 bits, and null', (t) => {
  const files = rowsOf(MessageFileEntity).without(
    'id',
    'tenantId',
    'numberId',
    'templateId',
    'path',
    'mimeType',
    'expiresAt',
  )
  t.deepEqual(files.read({ size_bytes: '5000000000', file_name: null, created_at: '2026-01-02 03:04:05.678+00' }), {
    sizeBytes: 5_000_000_000,
    fileName: null,
    createdAt: new Date('2026-01-02T03:04:05.678Z'),
  })
  const wordings = rowsOf(TemplateEntity).without(...ONLY_WORDING)
  t.deepEqual(wordings.read({ variables: '["a","b"]', submitted: null, sendable: true }), {
    variables: ['a', 'b'],
    submitted: null,
    sendable: true,
  })
})

test('the written form of a record contains exactly the columns that a recordset takes', (t) => {
  const webhooks = rowsOf(WebhookEntity).without(
    'id',
    'tenantId',
    'numberId',
    'provider',
    'name',
    'url',
    'sealedSecret',
    'sealedPreviousSecret',
    'lastTriggered',
    'failingSince',
    'disabledReason',
    'removedAt',
    'updatedAt',
  )
  const record = {
    active: true,
    events: ['call.ended'],
    previousUntil: null,
    createdAt: new Date(0),
    id: 'wh_1',
  } as const
  t.deepEqual(webhooks.write({ ...record, events: [...record.events] }), {
    active: true,
    events: ['call.ended'],
    previous_until: null,
    created_at: '1970-01-01T00:00:00.000Z',
  })
  const wordings = rowsOf(TemplateEntity).without(...ONLY_WORDING)
  t.deepEqual(wordings.write({ variables: ['a'], submitted: null, sendable: false }), {
    variables: '["a"]',
    submitted: null,
    sendable: false,
  })
})

test('a reader calls values by the names it is given, and leaves the others as they are', (t) => {
  const read = rowsOf(MessageFileEntity).only('id', 'fileName', 'createdAt').reader({ fileName: 'name' })
  t.deepEqual(
    Object.entries(read({ id: 'file_1' as FileId, file_name: 'a.pdf', created_at: '2026-01-02 03:04:05.678+00' })),
    [
      ['id', 'file_1'],
      ['name', 'a.pdf'],
      ['createdAt', new Date('2026-01-02T03:04:05.678Z')],
    ],
  )
})

test('columns are taken in the order of the entity, whatever order they are asked for in', (t) => {
  t.is(rowsOf(MessageFileEntity).only('createdAt', 'tenantId', 'id').list('f'), 'f.id, f.tenant_id, f.created_at')
})

test('a name that the entity does not have is an error of types, wherever it is spelled', (t) => {
  const rows = rowsOf(MessageFileEntity)
  // @ts-expect-error it is `fileName`
  t.is(rows.columns.filename, undefined)
  // @ts-expect-error it is `fileName`
  t.notThrows(() => rows.without('filename'))
  // @ts-expect-error it is `fileName`
  t.notThrows(() => rows.reader({ sizeBytes: 'bytes', filename: 'name' }))
})

test('values of one row are not in the next', (t) => {
  const files = rowsOf(MessageFileEntity).only('fileName', 'expiresAt')
  files.read({ file_name: 'a.pdf', expires_at: '2026-01-02 03:04:05.678+00' })
  t.deepEqual(files.read({ file_name: null, expires_at: '2026-01-03 03:04:05.678+00' }), {
    fileName: null,
    expiresAt: new Date('2026-01-03T03:04:05.678Z'),
  })
})

test('an entity with a column that there is no reader for is refused at once', (t) => {
  const Unread = defineEntity({
    name: 'Unread',
    tableName: 'unread',
    properties: { id: p.text().primary(), bytes: p.blob() },
  })
  t.throws(() => rowsOf(Unread), { message: 'rows cannot be read of this type of column' })
})

const ONLY_WORDING = [
  'id',
  'tenantId',
  'accountId',
  'numberId',
  'name',
  'language',
  'category',
  'source',
  'officialStatus',
  'officialLanguage',
  'body',
  'examples',
  'unsupported',
  'externalId',
  'upstreamStatus',
  'statusReason',
  'statusDescription',
  'quality',
  'requestedCategory',
  'correctCategory',
  'parameters',
  'files',
  'applied',
  'ask',
  'askedUntil',
  'askTries',
  'submittedAt',
  'createdAt',
  'updatedAt',
] as const
