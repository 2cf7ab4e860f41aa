import test from 'ava'
import { LocalBroadcast } from '../../../src/cluster/local.ts'
import type { EmbedOver } from '../../../src/domain/embed-session.ts'
import { StoreAway } from '../../../src/domain/store-away.ts'
import { createEmbedEndings, EMBED_ENDED } from '../../../src/http/request/embed-endings.ts'
import { KEY_ROTATED } from '../../../src/http/request/caller-cache.ts'
import { World } from '../../helpers/world.ts'
import { silentLog } from '../../helpers/silent.ts'

/** A node over the rows of a world. It hears only what the test broadcasts, and counts its looks at the rows. */
async function node(world: World = new World()) {
  const broadcast = new LocalBroadcast(silentLog)
  const looks = { count: 0, failing: 0 }
  const embedSessions = {
    async states(ids: Parameters<typeof world.embedSessions.states>[0]) {
      looks.count++
      if (looks.failing-- > 0) throw new StoreAway('gone')
      return world.embedSessions.states(ids)
    },
  }
  const endings = createEmbedEndings({ embedSessions, broadcast, clock: world.clock, log: silentLog })
  const told: (EmbedOver | Date)[] = []
  const mint = async (ttlSeconds = 900) => {
    const minted = await world.embedSessions.mint({
      tenantId: world.tenantId,
      keyId: world.tenantKey.id,
      surface: 'chat',
      numberIds: [world.number.id],
      allowedOrigins: ['https://crm.example'],
      branding: null,
      canStart: false,
      ttlSeconds,
      maxAgeMs: 43_200_000,
    })
    if (!minted) throw new Error('nothing was minted')
    return minted
  }
  const watch = (session: Parameters<typeof endings.watch>[0]) =>
    endings.watch(session, { over: (reason) => void told.push(reason), moved: (at) => void told.push(at) })
  const settled = () =>
    new Promise((resolve) => {
      setImmediate(resolve)
    })
  const pass = async (ms: number) => {
    world.clock.advance(ms)
    await settled()
  }
  return { world, broadcast, looks, endings, told, mint, watch, settled, pass }
}

test('a watched session learns within a second of an end that no node announced', async (t) => {
  const { world, told, mint, watch, pass } = await node()
  const { session } = await mint()
  watch(session)
  await pass(1_000)
  t.deepEqual(told, [])
  await world.embedSessions.revoke(world.tenantId, null, session.id)
  await pass(1_000)
  t.deepEqual(told, ['REVOKED'])
  await pass(10_000)
  t.deepEqual(told, ['REVOKED'], 'once')
})

for (const topic of [EMBED_ENDED, KEY_ROTATED]) {
  test(`a watched session learns at once of an end that another node announces by ${topic}`, async (t) => {
    const { world, broadcast, told, mint, watch, settled } = await node()
    const { session } = await mint()
    watch(session)
    await world.keys.rotateTenantKey(world.tenantId)
    await broadcast.publish(topic, 'whatever it was')
    await settled()
    t.deepEqual(told, ['REVOKED'])
  })
}

test('an end is told to other nodes and heard at once on this one', async (t) => {
  const { world, broadcast, endings, told, mint, watch, settled } = await node()
  const heard: string[] = []
  broadcast.subscribe(EMBED_ENDED, (text) => void heard.push(text))
  const { session } = await mint()
  watch(session)
  await world.embedSessions.revoke(world.tenantId, null, session.id)
  await endings.tell(session.id)
  await settled()
  t.deepEqual([told, heard], [['REVOKED'], [session.id]])
})

test('a session that expires is told as such, one that is refreshed gets more time', async (t) => {
  const { world, told, mint, watch, pass } = await node()
  const [brief, kept] = [await mint(60), await mint(60)]
  watch(brief.session)
  watch(kept.session)
  await pass(30_000)
  await world.embedSessions.refresh(kept.token)
  const moved = new Date(world.clock.now() + 60_000)
  await pass(1_000)
  t.deepEqual(told, [moved])
  await pass(30_000)
  await pass(1_000)
  t.deepEqual(told, [moved, 'EXPIRED'])
  await pass(60_000)
  await pass(1_000)
  t.deepEqual(told, [moved, 'EXPIRED', 'EXPIRED'])
})

test('one look a second serves all watched sessions, and without any there is no look', async (t) => {
  const { looks, told, mint, watch, pass, world } = await node()
  const { session } = await mint()
  const stops = [watch(session), watch(session), watch((await mint()).session)]
  await pass(1_000)
  t.is(looks.count, 1)
  for (const stop of stops.slice(1)) stop()
  await pass(1_000)
  t.is(looks.count, 2)
  await world.embedSessions.revoke(world.tenantId, null, session.id)
  stops[0]?.()
  await pass(5_000)
  t.deepEqual([told, looks.count <= 3], [[], true], 'who stopped hears nothing')
})

test('a database that is away ends nothing, and is asked again', async (t) => {
  const { world, looks, told, mint, watch, pass } = await node()
  const { session } = await mint()
  watch(session)
  looks.failing = 2
  await world.embedSessions.revoke(world.tenantId, null, session.id)
  await pass(1_000)
  await pass(1_000)
  t.deepEqual(told, [])
  await pass(1_000)
  t.deepEqual(told, ['REVOKED'])
})

test('an end that is told of while a look is under way is not overlooked', async (t) => {
  const { world, told, mint, watch, endings, settled } = await node()
  const { session } = await mint()
  watch(session)
  const first = endings.tell('emb_of another')
  await world.embedSessions.revoke(world.tenantId, null, session.id)
  await Promise.all([first, endings.tell(session.id)])
  await settled()
  t.deepEqual(told, ['REVOKED'])
})
