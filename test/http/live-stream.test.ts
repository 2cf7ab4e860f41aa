import test from 'ava'
import { newId } from '../../src/domain/ids.ts'
import { callEvent, newCall } from '../contracts/world.ts'
import { openTestDatabase, sharedDatabase } from '../helpers/database.ts'
import { signIn } from '../helpers/dashboard.ts'
import type { EventReader } from '../helpers/event-reader.ts'
import { person } from '../helpers/people.ts'
import { until } from '../helpers/until.ts'
import { World } from '../helpers/world.ts'
import { listen, openLiveApp, openLiveNode, StoredCall, type LiveApp } from './live-app.ts'

const database = sharedDatabase(test, openTestDatabase)

const desk = (app: LiveApp) => signIn(app.client, new World(), app.tenantKey.raw)

/** Stores an event that tells of nothing but its mark. */
async function marked(app: LiveApp, mark: string, number = app.one): Promise<string> {
  await app.stores.calls.insert(number.fence, newCall(number), [callEvent('call.permission_updated', { mark })])
  return mark
}

function marksOf(reader: EventReader): string[] {
  return reader.events.flatMap(({ event, data }) => (event === 'event' ? [data.data.mark] : []))
}

// [dashboard.routes.3] [dashboard.stream.1] [dashboard.stream.2]
test('events, each status of a call and the state of a number show on the stream, by ids that rise', async (t) => {
  const app = await openLiveApp(t, database())
  const reader = await listen(t, app, await desk(app))
  t.is(reader.events[0]?.id, reader.events[0]?.data.cursor)
  const call = await new StoredCall(app, app.one, { bizOpaqueCallbackData: 'order 7' }).place()
  await call.move('RINGING')
  await call.move('ACCEPTED', 'call.connected')
  await call.move('COMPLETED', 'call.ended')
  await reader.next('event', ({ event }) => event === 'call.ended')
  const told = reader.events.filter(({ event }) => event === 'call').map(({ data }) => data)
  t.deepEqual(
    told.map(({ status }) => status),
    ['INITIATED', 'RINGING', 'ACCEPTED', 'COMPLETED'],
  )
  for (const shown of told) {
    t.like(shown, {
      id: call.call.id,
      numberId: app.one.number.id,
      direction: 'OUTBOUND',
      externalCallId: `up.${call.call.id}`,
      peerNumber: '4915100000001',
      fromNumber: app.one.number.number,
      bizOpaqueCallbackData: 'order 7',
    })
    t.is(shown.endedAt === null, shown.status !== 'COMPLETED')
    t.is(shown.connectedAt === null, shown.status === 'INITIATED' || shown.status === 'RINGING')
    t.deepEqual(Object.keys(shown).toSorted(), Object.keys(told[0] ?? {}).toSorted())
  }
  const { data: ended } = await reader.next('event', ({ event }) => event === 'call.ended')
  t.like(ended, { channelNumberId: app.one.number.id, data: { id: call.call.id, duration: 0 } })
  t.regex(ended.id, /^evt_/)
  await app.stores.numbers.saveConnection(app.two.fence, { state: 'CONNECTING' }, [])
  const { data: number } = await reader.next('number', ({ state }) => state === 'CONNECTING')
  t.deepEqual(number, { id: app.two.number.id, state: 'CONNECTING', isFullyConnected: false, calling: null })
  const ids = reader.events.flatMap(({ id }) => (id === null ? [] : [BigInt(id)]))
  t.true(ids.length > 1 && ids.every((id, index) => index === 0 || id > (ids[index - 1] ?? 0n)))
})

// [dashboard.stream.3] [dashboard.stream.5]
test('a stream that was cut goes on where it was, on another node too: nothing is lost, nothing comes twice', async (t) => {
  const app = await openLiveApp(t, database())
  const other = await openLiveNode(t, database())
  const browser = await desk(app)
  const [told, wanted]: [string[], string[]] = [[], []]
  let lastId = ''
  for (let round = 0; round < 4; round++) {
    const reader = await listen(t, round % 2 === 0 ? app : other, browser, lastId)
    for (let i = 0; i < 3; i++) wanted.push(await marked(app, `${round}.${i}`, i === 1 ? app.two : app.one))
    await until('some of it is told', async () => marksOf(reader).length > 1)
    reader.cut()
    wanted.push(await marked(app, `${round}.missed`))
    told.push(...marksOf(reader))
    lastId = reader.lastId
  }
  const last = await listen(t, other, browser, lastId)
  await last.next('event', ({ data }) => data.mark === '3.missed')
  t.deepEqual([...told, ...marksOf(last)], wanted)
  t.false(last.events.some(({ event }) => event === 'resync'))
})

// [dashboard.stream.3]
test('a reader that missed more than is told anew, or whose place nobody knows, is told to read all anew', async (t) => {
  const app = await openLiveApp(t, database())
  const browser = await desk(app)
  const first = await listen(t, app, browser)
  first.cut()
  const fill = (count: number) =>
    database().query(
      `insert into events (id, tenant_id, number_id, event, data, created_at)
       select 'evt_' || $3 || n, $1, $2, 'call.permission_updated', '{}', now() from generate_series(1, ${count}) n`,
      [app.one.tenantId, app.one.number.id, newId('evt')],
    )
  await fill(1_000)
  const full = await listen(t, app, browser, first.lastId)
  await until('all of it is told', async () => marksOf(full).length === 1_000)
  t.false(full.events.some(({ event }) => event === 'resync'))
  await fill(1)
  await full.next('event')
  await until('the newest is told', async () => marksOf(full).length === 1_001)
  for (const lastId of [first.lastId, 'nonsense', '0', `9${full.lastId}`]) {
    const behind = await listen(t, app, browser, lastId)
    await behind.next('resync')
    await behind.next('number')
    t.is(marksOf(behind).length, 0)
    behind.cut()
  }
})

// [dashboard.stream.4]
test('whoever comes is told how numbers and live calls stand', async (t) => {
  const app = await openLiveApp(t, database())
  const [live, over, refused] = [
    await new StoredCall(app, app.one).place(),
    await new StoredCall(app, app.one).place(),
    new StoredCall(app, app.foreign),
  ]
  await live.move('RINGING')
  await over.move('COMPLETED', 'call.ended')
  await refused.place()
  await app.stores.numbers.saveConnection(app.one.fence, { state: 'OPEN', isFullyConnected: true }, [])
  const reader = await listen(t, app, await desk(app))
  await reader.next('call')
  t.deepEqual(
    reader.events.filter(({ event }) => event === 'call').map(({ data }) => [data.id, data.status]),
    [[live.call.id, 'RINGING']],
  )
  t.deepEqual(
    new Map(
      reader.events.filter(({ event }) => event === 'number').map(({ data }) => [data.id, data.isFullyConnected]),
    ),
    new Map([
      [app.one.number.id, true],
      [app.two.number.id, false],
    ]),
  )
})

// [dashboard.routes.7] [dashboard.stream.6]
test('frames that a role may not read are left out, and an account sees nothing of another', async (t) => {
  const app = await openLiveApp(t, database())
  const [owner, agent, analyst] = [
    await listen(t, app, await desk(app)),
    await listen(t, app, await person(app.client, app, 'AGENT')),
    await listen(t, app, await person(app.client, app, 'ANALYST')),
  ]
  await (await new StoredCall(app, app.foreign).place()).move('ACCEPTED', 'call.connected')
  await (await new StoredCall(app, app.one).place()).move('ACCEPTED', 'call.connected')
  await app.stores.numbers.saveConnection(app.one.fence, { state: 'CONNECTING' }, [])
  for (const reader of [owner, agent, analyst]) await reader.next('number', ({ state }) => state === 'CONNECTING')
  await owner.next('event')
  await agent.next('call', ({ status }) => status === 'ACCEPTED')
  const seen = ({ events }: EventReader) => [...new Set(events.map(({ event }) => event))].toSorted()
  t.deepEqual(seen(owner), ['call', 'event', 'hello', 'number'])
  t.deepEqual(seen(agent), ['call', 'hello', 'number'])
  t.deepEqual(seen(analyst), ['hello', 'number'])
  t.truthy(agent.events.find(({ data }) => data.status === 'ACCEPTED')?.id, 'the reader can go on from there')
  for (const { data } of owner.events.filter(({ event }) => event === 'call')) t.is(data.numberId, app.one.number.id)
})

// [dashboard.stream.7]
test('a stream ends with its session, and when the role of its person changes', async (t) => {
  const app = await openLiveApp(t, database())
  const [first, second] = [await desk(app), await desk(app)]
  const agent = await person(app.client, app, 'AGENT')
  const [left, ended, changed] = [
    await listen(t, app, first),
    await listen(t, app, second),
    await listen(t, app, agent),
  ]
  await first.send('DELETE', '/api/session')
  await until('the stream of the one who signed out is over', () => left.isOver)
  t.deepEqual(left.events.at(-1)?.data, { reason: 'REVOKED' })
  t.false(ended.isOver)
  await app.client.send('PATCH', `/v1/users/${agent.id}`, { key: app.tenantKey.raw, body: { role: 'ADMIN' } })
  await until('the stream of the old role is over', () => changed.isOver)
  t.false(changed.events.some(({ event }) => event === 'expired'))
  await listen(t, app, agent)
  await app.client.send('POST', '/v1/api-keys/regenerate', { key: app.tenantKey.raw })
  await until('the stream of the old key is over', () => ended.isOver)
  t.is(ended.events.at(-1)?.event, 'expired')
})

// [dashboard.stream.8]
test('a session has five streams, a stranger none', async (t) => {
  const app = await openLiveApp(t, database())
  const browser = await desk(app)
  const streams = []
  for (let i = 0; i < 5; i++) streams.push(await listen(t, app, browser))
  t.is((await browser.send('GET', '/api/stream')).status, 429)
  streams[0]?.cut()
  await until('there is room again', async () => {
    const one = await listen(t, app, browser).catch(() => null)
    return one !== null
  })
  t.is((await app.client.send('GET', '/api/stream')).status, 401)
  t.is((await app.client.send('GET', '/api/stream', { key: app.tenantKey.raw })).status, 401)
})
