import test from 'ava'
import { openTestDatabase, sharedDatabase } from '../helpers/database.ts'
import { talking } from './talking-inbox.ts'

const database = sharedDatabase(test, openTestDatabase)

// [embeds.marks.1] [embeds.marks.2]
test('a conversation is marked as unread, archived and taken back, and the answer is how it is then', async (t) => {
  const { app, token, id } = await talking(t, database())
  const listed = async (filter: string) =>
    (await app.ask(token, 'GET', `/conversations?filter=${filter}`)).body.conversations.length
  const unread = async () => (await app.ask(token, 'GET', '/session')).body.unreadTotal
  await app.ask(token, 'POST', `/conversations/${id}/read`)
  t.like(await app.ask(token, 'POST', `/conversations/${id}/unread`), {
    status: 200,
    body: { id, isMarkedUnread: true, archivedAt: null, unreadCount: 0 },
  })
  t.deepEqual([await listed('unread'), await unread()], [1, 1])
  t.deepEqual((await app.ask(token, 'POST', `/conversations/${id}/read`)).body, { read: 0 })
  t.deepEqual([await listed('unread'), await unread()], [0, 0])
  const archived = await app.ask(token, 'POST', `/conversations/${id}/archive`)
  t.like(archived.body, { id, isMarkedUnread: false })
  t.regex(archived.body.archivedAt, /^\d{4}-.*Z$/)
  t.deepEqual([await listed('all'), await listed('archived')], [0, 1])
  t.is((await app.ask(token, 'GET', '/search?q=Ann')).body.conversations[0]?.id, id, 'a search finds it')
  t.like((await app.ask(token, 'POST', `/conversations/${id}/unarchive`)).body, { id, archivedAt: null })
  t.deepEqual([await listed('all'), await listed('archived')], [1, 0])
  t.is((await app.ask(token, 'GET', '/conversations?filter=every')).status, 400)
})
