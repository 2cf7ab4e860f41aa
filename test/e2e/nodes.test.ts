import test from 'ava'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { sine, wavFile } from '../../tools/demo/signal.ts'
import { Cluster, type ClusterNode } from '../helpers/cluster.ts'
import { openDatabaseProxy, type DatabaseProxy } from '../helpers/database-proxy.ts'
import { newPeer, sendText, untilInHistory, untilStatus, write } from '../helpers/message-service.ts'
import { counted, LEDGER_MS, sized } from '../helpers/size.ts'
import type { PairedNumber } from '../helpers/service.ts'
import { NodeStorm } from '../helpers/node-storm.ts'
import { TEST_DATABASE_URL, TEST_REDIS_URL } from '../helpers/test-servers.ts'
import { until } from '../helpers/until.ts'

/** The numbers and commands of the storm. */
const NUMBERS = sized(200, 8)
const COMMANDS = counted(10_000, 160)
const AT_ONCE = sized(24, 8)
/** LEDGER_SEED repeats an earlier run. */
const SEED = Number(process.env['LEDGER_SEED'] ?? Math.floor(Math.random() * 1e9))

if (TEST_DATABASE_URL === null || TEST_REDIS_URL === null) {
  test.skip('any node answers any request (TEST_DATABASE_URL and TEST_REDIS_URL are not both set)', () => {})
} else {
  let cluster: Cluster
  let redis: DatabaseProxy

  test.before(async () => {
    cluster = await Cluster.start({
      mediaHosts: 2,
      env: { UNOFFICIAL_RECIPIENT_SECONDS: '0' },
      async redisWay(url) {
        redis = await openDatabaseProxy(url)
        return redis.url
      },
    })
  })

  test.after.always(async () => {
    await cluster?.stop()
    redis?.close()
  })

  /** A paired number, with the node that holds it and one that does not. */
  async function held(settings?: object): Promise<{ number: PairedNumber; owner: ClusterNode; stranger: ClusterNode }> {
    const [first] = cluster.nodes
    if (!first) throw new Error('no node runs')
    const number = await first.service.pairNumber(settings)
    const owner = await until('somebody holds it', () => cluster.ownerOf(number.id))
    return { number, owner, stranger: await cluster.strangerTo(number.id) }
  }

  // [nodes.asks.1]
  test.serial(
    'a call is placed, played to, opened for a bot and ended through nodes that do not hold its number',
    async (t) => {
      const tones = createServer(
        (_, response) =>
          void response
            .writeHead(200, { 'content-type': 'audio/wav' })
            .end(wavFile(sine(600, 500, 44_100, 0.3), 44_100)),
      )
      tones.listen(0, '127.0.0.1')
      await once(tones, 'listening')
      t.teardown(() => void tones.close())
      const { number, stranger } = await held()
      const { service } = stranger
      const call = await service.placeCall(number, newPeer())
      await service.untilCall(number, call.id, ['ACCEPTED'])
      const played = await service.api('POST', `/v1/calls/${call.id}/play`, number.key, {
        mediaUrl: `http://127.0.0.1:${(tones.address() as AddressInfo).port}/a.wav`,
      })
      t.is(played.status, 200, played.text)
      const opened = await service.api('POST', `/v1/calls/${call.id}/realtime-session`, number.key, {})
      t.is(opened.status, 200, opened.text)
      t.regex(opened.body.wsUrl, /^ws:/)
      const ended = await service.api('POST', `/v1/calls/${call.id}/terminate`, number.key)
      t.deepEqual([ended.status, ended.body.status], [200, 'COMPLETED'])
      const over = await service.api('POST', `/v1/calls/${call.id}/play`, number.key, {
        mediaUrl: 'http://127.0.0.1/a.wav',
      })
      t.deepEqual([over.status, over.body.code], [409, 'CALL_INVALID_STATE'])
    },
  )

  test.serial('settings patched on a node that does not hold the number act on its session', async (t) => {
    const { number, stranger } = await held({ rejectCall: false })
    const { service } = stranger
    const patched = await service.api('PATCH', `/v1/numbers/${number.id}`, service.tenantKey, {
      settings: { rejectCall: true, alwaysOnline: true },
    })
    t.is(patched.status, 200)
    t.like((await service.control('GET', `/devices/${number.digits}`)).body, {
      settings: { alwaysOnline: true },
      presence: 'available',
    })
    const { body: rung } = await service.control('POST', `/peers/${newPeer()}/calls`, { to: number.digits })
    t.like(await service.untilCall(number, rung.callId, ['REJECTED']), { status: 'REJECTED' })
  })

  test.serial('messages read on a node that does not hold the number are read for the peer, too', async (t) => {
    const { number, stranger } = await held()
    const { service } = stranger
    const peer = newPeer()
    const id = await write(service, peer, number, { text: 'read me' })
    await untilInHistory(service, number, id)
    t.is((await service.api('POST', '/v1/messages/read', number.key, { messageIds: [id] })).body.read, 1)
    await until('the peer sees it', async () =>
      (await service.control('GET', `/peers/${peer}/outbox`)).body.messages.some(
        ({ externalMessageId, isRead }: any) => externalMessageId === id && isRead,
      ),
    )
  })

  test.serial(
    'a webhook that wants stories, made on a node that does not hold the number, has its device asked for them',
    async (t) => {
      const { number, stranger } = await held({ ignoreStatus: false })
      const { service } = stranger
      const seen = async () => (await service.control('GET', `/devices/${number.digits}`)).body.settings.ignoreStatus
      t.true(await seen())
      const made = await service.api('POST', '/v1/webhooks', number.key, {
        url: 'http://127.0.0.1:9/',
        events: ['message.stories'],
      })
      t.is(made.status, 201, made.text)
      await until('the device is asked', async () => (await seen()) === false)
    },
  )

  test.serial('a number is paired and logged out through whichever nodes are asked', async (t) => {
    const [one, two, three] = cluster.nodes
    if (!one || !two || !three) throw new Error('three nodes run')
    const digits = '5511900777001'
    const created = await one.service.api('POST', '/v1/numbers', cluster.tenantKey, { name: 'Roaming', number: digits })
    const { id } = created.body
    const codes = await Promise.all(
      [one, two, three].map(({ service }) => service.api('POST', `/v1/numbers/${id}/connect`, cluster.tenantKey)),
    )
    t.deepEqual(
      codes.map(({ status }) => status),
      [200, 200, 200],
    )
    t.is(new Set(codes.map(({ body }) => body.qr)).size, 1, 'one code, whoever shows it')
    await until(
      'the code is scanned',
      async () => (await one.service.control('POST', `/devices/${digits}/scan`)).status < 300,
    )
    await three.service.untilState(id, 'OPEN')
    t.is((await two.service.api('POST', `/v1/numbers/${id}/connect`, cluster.tenantKey)).body.code, 'ALREADY_CONNECTED')
    t.is((await three.service.api('POST', `/v1/numbers/${id}/logout`, cluster.tenantKey)).status, 200)
    await one.service.untilState(id, 'CLOSE')
    for (const node of [two, one]) {
      const removed = await node.service.api('DELETE', `/v1/numbers/${id}`, cluster.tenantKey)
      t.is(removed.status, node === two ? 200 : 404, removed.text)
    }
  })

  test.serial('one Idempotency-Key asked of every node at once places one call', async (t) => {
    const { number } = await held()
    const headers = { 'idempotency-key': 'one call' }
    const to = newPeer('0003')
    const answers = await Promise.all(
      cluster.nodes.map(({ service }) => service.api('POST', '/v1/calls', number.key, { to }, headers)),
    )
    // Who asks while the call is being placed is told to wait; who asks later gets the same answer.
    const placed = answers.filter(({ status }) => status !== 409)
    t.deepEqual([...new Set(placed.map(({ status }) => status))], [201])
    t.is(new Set(placed.map(({ text }) => text)).size, 1)
    const { body } = await cluster.nodes[0]!.service.api('GET', '/v1/calls', number.key)
    t.is(body.calls.length, 1)
    await cluster.nodes[0]!.service.endCall(number, body.calls[0].id)
  })

  test.serial('a message sent through a node that does not hold the number goes out at once', async (t) => {
    const { number, stranger } = await held()
    const { id } = await sendText(stranger.service, number, newPeer(), 'hello')
    t.truthy(await untilStatus(stranger.service, number, id, ['SENT', 'DELIVERED', 'READ']))
  })

  test.serial(
    `${COMMANDS} commands for ${NUMBERS} numbers spread over three nodes: none is answered 503 or 504, and each is done once`,
    async (t) => {
      t.timeout(LEDGER_MS)
      t.log(`seed ${SEED}`)
      const storm = await NodeStorm.prepare(cluster, NUMBERS, SEED)
      t.teardown(() => storm.end())
      await storm.run(COMMANDS, AT_ONCE)
      t.log(storm.counts())
      t.deepEqual(storm.unexpected.slice(0, 10), [])
      t.deepEqual(await storm.faults(), [])
    },
  )

  // [nodes.redis-away.1] [nodes.redis-away.3]
  test.serial(
    'without Redis a node goes on with its own numbers and answers 503 for those of others, settings that were changed meanwhile act afterwards',
    async (t) => {
      const { number, owner, stranger } = await held({ rejectCall: false })
      redis.set('refuse')
      t.teardown(() => redis.set('forward'))
      await until(
        'Redis is missed',
        async () => (await stranger.service.api('GET', '/health/ready', number.key)).body.checks.redis !== 'ok',
      )
      const ready = await stranger.service.api('GET', '/health/ready', number.key)
      t.deepEqual([ready.status, ready.body.checks.redis], [200, 'down'])
      const call = await owner.service.placeCall(number, newPeer('0003'))
      const refused = await stranger.service.api('POST', `/v1/calls/${call.id}/terminate`, number.key)
      t.deepEqual([refused.status, refused.body.code, refused.headers.get('retry-after')], [503, 'NOT_OWNER', '1'])
      t.is(
        (
          await stranger.service.api('PATCH', `/v1/numbers/${number.id}`, cluster.tenantKey, {
            settings: { alwaysOnline: true },
          })
        ).status,
        200,
      )
      redis.set('forward')
      const ended = await until('commands reach the owner again', async () => {
        const answer = await stranger.service.api('POST', `/v1/calls/${call.id}/terminate`, number.key)
        return answer.status === 503 ? null : answer
      })
      t.is(ended.status, 200)
      await until(
        'the settings act',
        async () =>
          (await owner.service.control('GET', `/devices/${number.digits}`)).body.settings.alwaysOnline === true,
      )
    },
  )

  // [nodes.placement.1]
  test.serial('a node that is killed leaves its numbers to whoever is asked for them next', async (t) => {
    const { number, owner, stranger } = await held()
    await owner.kill()
    const groups = await stranger.service.api('GET', '/v1/groups', number.key)
    t.true([200, 409].includes(groups.status), groups.text)
    t.is((await until('somebody else holds it', () => cluster.ownerOf(number.id))) === owner, false)
    await stranger.service.untilState(number.id, 'OPEN')
    const call = await stranger.service.placeCall(number, newPeer('0003'))
    await stranger.service.endCall(number, call.id)
  })
}
