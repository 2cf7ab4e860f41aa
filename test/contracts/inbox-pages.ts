import { randomBytes } from 'node:crypto'
import type { TestFn } from 'ava'
import { AesCipher } from '../../src/storage/engine/cipher.ts'
import { openInbox } from '../../src/storage/inbox/store.ts'
import type { Database } from '../../src/storage/engine/database.ts'
import { pagesOf, watched, type Busy } from './message-pages.ts'
import { PEER } from './message-world.ts'

/** Measures the cost of the inbox's queries. It needs a database of its own, because other rows change the plans. */
export function inboxPagesSuite(test: TestFn, name: string, database: () => Database, busy: () => Promise<Busy>): void {
  test.serial(`${name}: lists, pages and looks of an inbox do not walk the past of a busy number`, async (t) => {
    const { world, owned } = await busy()
    await database().chores.query(
      `insert into conversations (id, tenant_id, number_id, type, peer, last_message_id, last_message_at, created_at)
      select distinct on (conversation_id) conversation_id, tenant_id, number_id, 'DIRECT', '49' || position, id, created_at, created_at from messages
      where number_id = $1 order by conversation_id, created_at desc on conflict (id) do nothing`,
      [owned.number.id],
    )
    await database().chores.query('analyze conversations')
    const whole = await pagesOf(database(), 'select count(content) from messages where number_id = $1', [
      owned.number.id,
    ])
    const seen: number[] = []
    const { inboxReads, inboxChanges } = openInbox({
      database: watched(database(), seen),
      cipher: new AesCipher(randomBytes(32)),
      clock: world.clock,
      onChanged: () => {},
    })
    const numbers = [owned.number.id]
    const { items, next } = await inboxReads.conversations(numbers, {
      filter: 'all',
      search: null,
      limit: 30,
      before: null,
    })
    await inboxReads.conversations(numbers, { filter: 'unread', search: null, limit: 30, before: null })
    await inboxReads.conversations(numbers, { filter: 'all', search: null, limit: 30, before: next })
    t.is(items.length, 30)
    const talk = items.find(({ peer }) => peer === PEER)?.id ?? ''
    const span = await inboxReads.messages(numbers, talk, { side: 'newest', limit: 50 })
    const of = span?.messages.at(-1)?.id ?? ''
    for (const side of ['before', 'after', 'around'] as const)
      t.is((await inboxReads.messages(numbers, talk, { side, of, limit: 40 }))?.messages.length, 40)
    await inboxReads.unread(numbers)
    const { snapshot } = await inboxChanges.look(numbers, null)
    await inboxChanges.look(numbers, { position: snapshot.position, transaction: snapshot.oldest })
    t.true(Math.max(...seen) < whole / 2, `pages looked at of ${whole}: ${seen.join(', ')}`)
  })
}
