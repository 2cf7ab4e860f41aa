import test from 'ava'
import { succeed } from '../../src/domain/errors.ts'
import { NO_CONTENT } from '../../src/domain/message.ts'
import { openTestDatabase, sharedDatabase } from '../helpers/database.ts'
import { receivedBy } from './inbox-app.ts'
import { talking } from './talking-inbox.ts'

const database = sharedDatabase(test, openTestDatabase)

// [embeds.inbox-routes.7]
test('a place, a card and a reaction are sent as by any send, and shown with what they say', async (t) => {
  const { app, token, id, message } = await talking(t, database())
  const send = (body: object) => app.ask(token, 'POST', `/conversations/${id}/messages`, body)
  const location = { latitude: -23.5505, longitude: -46.6333, name: 'Sé' }
  const contacts = [{ name: { formatted: 'Bia Costa' }, phones: [{ phone: '+5511988887777' }] }]
  const reaction = { messageId: message.id, emoji: '👍' }
  for (const body of [{ location, quotedMessageId: message.id }, { contacts }, { reaction }])
    t.is((await send(body)).status, 202, JSON.stringify(body))
  const { messages } = (await app.ask(token, 'GET', `/conversations/${id}/messages`)).body
  const [reacted, card, place] = messages
  t.like(reacted, { type: 'reaction', reaction: { messageId: message.externalMessageId, emoji: '👍' } })
  t.like(card, { type: 'contacts', contacts })
  t.like(place, { type: 'location', location, quoted: { id: message.id } })
  for (const [path, body] of [
    ['location.latitude', { location: { ...location, latitude: 91 } }],
    ['reaction.emoji', { reaction: { ...reaction, emoji: 'ok' } }],
    ['location', { text: 'here', location }],
  ] as const) {
    const refused = await send(body)
    t.deepEqual([refused.status, refused.body.details[0].path], [400, path])
  }
})

// [embeds.changes.4]
test('a message of another conversation is not reacted to, nor one of another number', async (t) => {
  const { app, token, id } = await talking(t, database())
  const beside = await receivedBy(app, app.one, { peer: '4915100000009', from: '4915100000009' })
  const foreign = await receivedBy(app, app.two)
  const react = (messageId: string) =>
    app.ask(token, 'POST', `/conversations/${id}/messages`, { reaction: { messageId, emoji: '👍' } })
  t.is((await react(beside.id)).status, 400)
  t.is((await react(foreign.id)).status, 404)
  t.deepEqual(app.world.directory.queued, [])
})

// [embeds.changes.1] [embeds.changes.2]
test('a sent text is edited and taken back as by the routes of messages; what others wrote is not', async (t) => {
  const { app, token, message } = await talking(t, database())
  const sent = await receivedBy(app, app.one, { isFromMe: true, isUnread: false }, 'at noon')
  const { directory } = app.world
  directory.script.editMessage = () => succeed({})
  directory.script.revokeMessage = () => succeed({})
  const edited = await app.ask(token, 'PATCH', `/messages/${sent.id}`, { text: 'at one' })
  t.is(edited.status, 200)
  t.deepEqual(Object.keys(edited.body), ['id', 'externalMessageId', 'content', 'editedAt'])
  t.like(edited.body, { id: sent.id, externalMessageId: sent.externalMessageId, content: 'at one' })
  const revoked = await app.ask(token, 'DELETE', `/messages/${sent.id}`)
  t.deepEqual([revoked.status, Object.keys(revoked.body)], [200, ['id', 'externalMessageId', 'revokedAt']])
  t.deepEqual(
    directory.asked.map(({ type }) => type),
    ['editMessage', 'revokeMessage'],
  )
  for (const reply of [
    await app.ask(token, 'PATCH', `/messages/${message.id}`, { text: 'x' }),
    await app.ask(token, 'DELETE', `/messages/${message.id}`),
  ])
    t.deepEqual([reply.status, reply.body.code], [409, 'MESSAGE_INVALID_STATE'])
  t.is((await app.ask(token, 'PATCH', `/messages/${sent.id}`, { text: ' ' })).status, 400)
  const image = await receivedBy(app, app.one, { isFromMe: true, isUnread: false, type: 'image', content: NO_CONTENT })
  t.is((await app.ask(token, 'PATCH', `/messages/${image.id}`, { text: 'x' })).body.code, 'MESSAGE_NOT_TEXT')
  t.is(directory.asked.length, 2)
})

// [embeds.changes.3]
test('the session says which numbers change what they sent, and a number that cannot is not asked', async (t) => {
  const { app } = await talking(t, database())
  await database().query(`update channel_numbers set provider = 'OFFICIAL' where id = $1`, [app.two.number.id])
  const both = await app.token({ channelNumberIds: [app.one.number.id, app.two.number.id] })
  const { numbers } = (await app.ask(both, 'GET', '/session')).body
  t.deepEqual(
    numbers.map(({ can }: { can: object }) => can),
    [
      { edits: true, revocations: true, typing: true },
      { edits: false, revocations: false, typing: true },
    ],
  )
  const sent = await receivedBy(app, app.two, { isFromMe: true, isUnread: false })
  for (const [method, capability, body] of [
    ['PATCH', 'edits', { text: 'x' }],
    ['DELETE', 'revocations', undefined],
  ] as const) {
    const refused = await app.ask(both, method, `/messages/${sent.id}`, body)
    t.deepEqual(
      [refused.status, refused.body.code, refused.body.details],
      [400, 'FEATURE_NOT_SUPPORTED', { capability }],
    )
  }
  t.deepEqual(app.world.directory.asked, [])
})
