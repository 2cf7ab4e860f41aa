import test from 'ava'
import { NOTE_LENGTH } from '../../src/domain/handling.ts'
import * as schema from '../../src/http/routes/handling/schema.ts'
import { PAGE, received } from '../contracts/message-world.ts'
import type { Owned } from '../contracts/world.ts'
import { signIn } from '../helpers/dashboard.ts'
import { openTestDatabase, sharedDatabase } from '../helpers/database.ts'
import { person } from '../helpers/people.ts'
import { systemClock } from '../../src/process/clock.ts'
import { World } from '../helpers/world.ts'
import { listen, openLiveApp, openLiveNode, type LiveApp } from './live-app.ts'

const database = sharedDatabase(test, openTestDatabase)

const owner = (app: LiveApp) => signIn(app.client, new World(), app.tenantKey.raw)

/** A conversation of a number; answers its id. */
async function talk(app: LiveApp, owned: Owned, peer: string): Promise<string> {
  await received({ stores: app.stores, clock: systemClock } as never, owned, { peer, from: peer })
  const { items } = await app.stores.messages.conversations(owned.number.id, PAGE)
  return items.find((one) => one.peer === peer)?.id ?? ''
}

// [handling.routes.1] [handling.routes.2] [handling.routes.3] [handling.routes.4] [handling.assignment.2]
// [handling.scope.2]
test('people of an account assign its conversations to each other, and see which are whose', async (t) => {
  const app = await openLiveApp(t, database())
  const [first, second] = [await talk(app, app.one, '4915100000001'), await talk(app, app.two, '4915100000002')]
  const [boss, ana] = [await owner(app), await person(app.client, app, 'AGENT')]
  const analyst = await person(app.client, app, 'ANALYST')
  const path = (id: string) => `/api/conversations/${id}/assignee`
  t.deepEqual((await ana.send('GET', path(first))).body, { assignee: null, assignedAt: null })
  const people = (await ana.send('GET', '/api/conversations/assignees')).body
  t.deepEqual(people, { assignees: [{ id: ana.id, name: ana.email }] }, 'those who may answer')
  const put = await boss.send('PUT', path(first), { body: { userId: ana.id } })
  t.is(put.status, 200)
  t.deepEqual(schema.assigned.parse(put.body), put.body)
  t.deepEqual(put.body.assignee, { id: ana.id, name: ana.email, isActive: true })
  t.is((await ana.send('PUT', path(second), { body: { userId: analyst.id } })).body.code, 'USER_NOT_FOUND')
  t.is((await ana.send('PUT', path(second), { body: { userId: ana.id } })).status, 200)
  const listed = (await ana.send('GET', `/api/conversations/assigned?userId=${ana.id}`)).body
  t.deepEqual(schema.conversations.parse(listed), listed)
  t.deepEqual(
    listed.conversations.map(({ id, numberId, from }: any) => [id, numberId, from]),
    [
      [second, app.two.number.id, '4915100000002'],
      [first, app.one.number.id, '4915100000001'],
    ],
  )
  t.deepEqual((await boss.send('PUT', path(second), { body: { userId: null } })).body, {
    assignee: null,
    assignedAt: null,
  })
  t.is((await boss.send('GET', '/api/conversations/assigned')).body.conversations.length, 1)
  const foreign = await talk(app, app.foreign, '4915100000003')
  for (const [method, body] of [
    ['GET', undefined],
    ['PUT', { userId: ana.id }],
    ['PUT', { userId: null }],
  ] as const)
    t.is((await boss.send(method, path(foreign), { body })).body.code, 'CONVERSATION_NOT_FOUND')
})

// [handling.routes.5] [handling.routes.6] [handling.routes.7] [handling.notes.1] [handling.notes.2]
// [handling.notes.3]
test('people of an account leave notes on a conversation, signed with their name', async (t) => {
  const app = await openLiveApp(t, database())
  const id = await talk(app, app.one, '4915100000001')
  const path = `/api/conversations/${id}/notes`
  const [boss, ana, ben] = [
    await owner(app),
    await person(app.client, app, 'AGENT'),
    await person(app.client, app, 'AGENT'),
  ]
  const made = await ana.send('POST', path, { body: { text: ' Call back at 9 ' } })
  t.is(made.status, 201)
  t.deepEqual(schema.note.parse(made.body), made.body)
  t.like(made.body, { text: ' Call back at 9 ', author: { id: ana.id, name: ana.email } })
  const keyed = { body: { text: 'Done' }, headers: { 'idempotency-key': 'once' } }
  const again = [await boss.send('POST', path, keyed), await boss.send('POST', path, keyed)]
  t.is(again[0]?.body.author, null, 'nobody signed in by name')
  t.deepEqual(again[1]?.body, again[0]?.body)
  const read = (await ben.send('GET', path)).body
  t.deepEqual(schema.notes.parse(read), read)
  t.deepEqual(read, { notes: [again[0]?.body, made.body], hasMore: false })
  t.deepEqual((await ben.send('GET', `${path}?before=${again[0]?.body.id}`)).body.notes, [made.body])
  t.is((await ben.send('GET', `${path}?before=x`)).status, 400)
  for (const text of ['', ' \n', 'x'.repeat(NOTE_LENGTH + 1), 7])
    t.is((await ana.send('POST', path, { body: { text } })).status, 400)
  t.is((await ben.send('DELETE', `${path}/${made.body.id}`)).status, 403)
  t.deepEqual((await ana.send('DELETE', `${path}/${made.body.id}`)).body, { deleted: true, id: made.body.id })
  t.is((await ana.send('DELETE', `${path}/${made.body.id}`)).body.code, 'NOTE_NOT_FOUND')
  t.is((await boss.send('DELETE', `${path}/${again[0]?.body.id}`)).status, 200)
})

// [handling.scope.1]
test('neither keys nor people who may not read conversations see how those are handled', async (t) => {
  const app = await openLiveApp(t, database())
  const id = await talk(app, app.one, '4915100000001')
  const analyst = await person(app.client, app, 'ANALYST')
  for (const path of [`/api/conversations/${id}/assignee`, `/api/conversations/${id}/notes`]) {
    t.is((await app.client.send('GET', path, { key: app.tenantKey.raw })).status, 401)
    t.is((await app.client.send('GET', path.replace('/api', '/v1'), { key: app.tenantKey.raw })).status, 404)
    t.is((await analyst.send('GET', path)).body.code, 'PERMISSION_DENIED')
  }
})

// [handling.scope.3]
test('whoever has the dashboard open is told of a conversation that is handled otherwise, on this node', async (t) => {
  const app = await openLiveApp(t, database())
  const foreigner = await openLiveNode(t, database())
  const id = await talk(app, app.one, '4915100000001')
  const ana = await person(app.client, app, 'AGENT')
  const reader = await listen(t, app, ana)
  const analyst = await listen(t, app, await person(app.client, app, 'ANALYST'))
  const elsewhere = await talk(app, app.foreign, '4915100000002')
  await foreigner.stores.handling.addNote(app.foreign.tenantId, elsewhere, { author: null, text: 'Theirs' })
  await app.stores.handling.addNote(app.foreign.tenantId, elsewhere, { author: null, text: 'Theirs' })
  await ana.send('POST', `/api/conversations/${id}/notes`, { body: { text: 'Mine' } })
  await ana.send('PUT', `/api/conversations/${id}/assignee`, { body: { userId: ana.id } })
  const told = () => reader.events.flatMap(({ event, data }) => (event === 'conversation' ? [data] : []))
  await reader.next('conversation', () => told().length === 2)
  t.deepEqual(told(), [
    { id, numberId: app.one.number.id },
    { id, numberId: app.one.number.id },
  ])
  await app.stores.numbers.saveConnection(app.two.fence, { state: 'CONNECTING' }, [])
  await analyst.next('number', ({ state }) => state === 'CONNECTING')
  t.false(analyst.events.some(({ event }) => event === 'conversation'))
})
