import { randomBytes } from 'node:crypto'
import test from 'ava'
import { newId } from '../../src/domain/ids.ts'
import { AesCipher } from '../../src/storage/engine/cipher.ts'
import { fenceFields } from '../../src/storage/engine/fence.ts'
import type { SqlParameter } from '../../src/storage/engine/database.ts'
import { toRecordset } from '../../src/storage/engine/rows.ts'
import { idFields } from '../../src/storage/message-keys/ids.ts'
import { receiving, REPORT } from '../../src/storage/messages/inbox-sql.ts'
import { ACCEPT_MESSAGES, acceptedParameters, rowOf } from '../../src/storage/messages/lanes.ts'
import { SETTLE } from '../../src/storage/messages/queue-sql.ts'
import { accepted, direct, newMessage } from '../contracts/message-world.ts'
import { worldsOver } from '../contracts/sql-worlds.ts'
import { ownedNumber } from '../contracts/world.ts'
import { openTestPostgres } from '../helpers/database.ts'
import { pagesRead } from '../helpers/pages-read.ts'
import { TEST_DATABASE_URL } from '../helpers/test-servers.ts'

const url = TEST_DATABASE_URL
if (url === null) {
  test.skip('a young table is read by its indexes (TEST_DATABASE_URL is not set)', () => {})
} else {
  // [growth.indexes.1]
  test('what is sent, settled and told is found by indexes where tables have grown since they were analyzed', async (t) => {
    const opened = await openTestPostgres(url)
    t.teardown(opened.close)
    const { database } = opened
    const cipher = new AesCipher(randomBytes(32))
    const world = worldsOver(() => database, undefined, cipher)()
    const owned = await ownedNumber(world)
    const { tenantId, number, fence } = owned
    for (const table of ['messages', 'conversations'])
      await database.chores.query(`alter table ${table} set (autovacuum_enabled = false)`)
    const message = await accepted(world, owned)
    await database.chores.query('analyze messages, conversations')
    await database.chores.query(
      `insert into messages (id, tenant_id, number_id, provider, conversation_id, conversation_type, direction, status, type, external_id, created_at)
      select 'msg_grown' || n, $1, $2, 'UNOFFICIAL', 'conv_' || n, 'DIRECT', 'OUTBOUND', 'SENT', 'text', 'grown.' || n, '2026-01-01' from generate_series(1, 20000) n`,
      [tenantId, number.id],
    )
    await database.chores.query(
      `insert into conversations (id, tenant_id, number_id, type, last_message_id, last_message_at, created_at)
      select 'conv_' || n, $1, $2, 'DIRECT', 'msg_grown' || n, '2026-01-01', '2026-01-01' from generate_series(1, 20000) n`,
      [tenantId, number.id],
    )
    const now = new Date(world.clock.now()).toISOString()
    const pages = (sql: string, parameters: SqlParameter[]) => pagesRead(database, sql, parameters)
    const item = () => ({ place: 0, ...fenceFields(fence), message_id: message.id, event_id: newId('evt'), at: now })
    // Brazil's numbers have another form, which is looked for too.
    const sends = Array.from({ length: 5 }, (_, at) =>
      rowOf(cipher, newMessage(world, owned, { to: direct(String(5_511_960_000_009 + at * 10)) }), null),
    )
    const accept = await pages(ACCEPT_MESSAGES.sql, acceptedParameters(sends, world.clock.now()))
    t.true(accept.count < 300, `five sends read ${accept.count} pages: ${accept.most}`)
    const settled = () => toRecordset([{ ...item(), kind: 'sent', ...idFields('young.1') }])
    const reported = () =>
      toRecordset([{ ...item(), ...idFields('grown.77'), message_id: null, status: 'DELIVERED', happened: now }])
    const came = () =>
      toRecordset([
        {
          ...item(),
          id: newId('msg'),
          ...idFields(newId('msg')),
          named_id: 'conv_7',
          kind: 'DIRECT',
          peer: '4915100000001',
          is_from_me: false,
          type: 'text',
          quoted_id: 'grown.9',
          is_unread: true,
          events: [{ id: newId('evt'), event: 'message.reply', data: '{}', isReply: true }],
        },
      ])
    for (const isAlone of [true, false]) {
      const read = {
        settle: await pages(SETTLE(isAlone).sql, [settled(), now, now]),
        report: await pages(REPORT(isAlone).sql, [reported(), now]),
        receive: await pages(receiving({ hasAnswers: false, hasReferrals: false })(isAlone).sql, [came(), now]),
      }
      for (const [what, { count, most }] of Object.entries(read))
        t.true(count < 300, `${what} reads ${count} pages: ${most}`)
    }
  })
}
