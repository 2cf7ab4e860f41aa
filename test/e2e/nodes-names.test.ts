import test from 'ava'
import { Cluster, type ClusterNode } from '../helpers/cluster.ts'
import { untilInbox, untilStatus, sendText } from '../helpers/message-service.ts'
import type { PairedNumber } from '../helpers/service.ts'
import { TEST_DATABASE_URL, TEST_REDIS_URL } from '../helpers/test-servers.ts'
import { until } from '../helpers/until.ts'

const PEER = '5511966660001'
const NAME = 'twin'

const story = TEST_DATABASE_URL === null || TEST_REDIS_URL === null ? test.serial.skip : test.serial

let cluster: Cluster
let first: ClusterNode
let numbers: PairedNumber[]
let texts = 0

test.before(async () => {
  if (TEST_DATABASE_URL === null || TEST_REDIS_URL === null) return
  cluster = await Cluster.start({ gateways: 1, env: { NODE_ID: NAME, UNOFFICIAL_RECIPIENT_SECONDS: '0' } })
  first = cluster.nodes[0]!
  numbers = []
  for (let at = 0; at < 4; at++) numbers.push(await first.service.pairNumber())
})

test.after.always(async () => {
  await cluster?.stop()
})

interface Lease {
  readonly number_id: string
  readonly node_id: string
  readonly token: string
}

function leases(): Promise<Lease[]> {
  return cluster.rows<Lease>(
    'select number_id, node_id, token from number_leases where node_id is not null order by number_id',
  )
}

interface Device {
  readonly numberId: string
  readonly isAttached: boolean
  readonly state: string
  readonly socketsOpened: number
  readonly socketsReplaced: number
}

/** For each session, the sockets that gateways opened, and how many of them replaced a socket that was still open. */
async function devices(): Promise<Device[]> {
  const { body } = await first.service.control('GET', '/devices')
  return body.devices.toSorted((one: Device, other: Device) => one.numberId.localeCompare(other.numberId))
}

async function sockets(): Promise<string[]> {
  return (await devices()).map(
    ({ socketsOpened, socketsReplaced }) => `${socketsOpened} opened, ${socketsReplaced} replaced`,
  )
}

/** A peer writes to each number. */
async function writeToAll(): Promise<void> {
  texts++
  for (const number of numbers) {
    const { status, text } = await first.service.control('POST', `/peers/${PEER}/messages`, {
      to: number.digits,
      text: `text ${texts}`,
    })
    if (status !== 201) throw new Error(`not written: ${text}`)
  }
}

/** Waits until the node has every message to each number; resolves to how often each was told. */
async function toldOf(node: ClusterNode): Promise<number[]> {
  return await Promise.all(
    numbers.map((number) =>
      until('all is told', async () => {
        const told = await node.service.events(number, 'message.received')
        return told.length >= texts ? told.length : null
      }),
    ),
  )
}

/** Each number sends once, through the node. */
async function sendFromAll(node: ClusterNode, text: string): Promise<string[][]> {
  return await Promise.all(
    numbers.map(async (number) => {
      const { id } = await sendText(node.service, number, PEER, text)
      await untilStatus(node.service, number, id, ['SENT', 'DELIVERED', 'READ'])
      const inbox = await untilInbox(node.service, PEER, number, 1)
      return inbox.map((item) => String(item.text)).filter((got) => got === text)
    }),
  )
}

story(
  'a gateway whose NODE_ID another one has that runs does not start, and says why in a line; the first keeps every number',
  async (t) => {
    const [held, opened] = [await leases(), await sockets()]
    t.is(held.length, numbers.length)
    await t.throwsAsync(cluster.startNode(), {
      message: /NODE_ID names another gateway that runs: give each one of its own/,
    })
    t.deepEqual([await leases(), await sockets()], [held, opened])
    t.true(first.isRunning)
    await writeToAll()
    t.deepEqual(
      await toldOf(first),
      numbers.map(() => texts),
      'each is told of once',
    )
    t.deepEqual(
      await sendFromAll(first, 'beside one that did not start'),
      numbers.map(() => ['beside one that did not start']),
    )
  },
)

story('of two gateways that start at once under one new NODE_ID one starts', async (t) => {
  const starts = await Promise.allSettled([
    cluster.startNode({ NODE_ID: 'new' }),
    cluster.startNode({ NODE_ID: 'new' }),
  ])
  t.deepEqual(starts.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
  const [refused] = starts.filter((start) => start.status === 'rejected')
  t.regex(String(refused?.reason), /NODE_ID names another gateway that runs/)
  const [started] = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []))
  await started?.kill('SIGTERM')
})

story(
  'a gateway that was frozen while another one took its NODE_ID takes nothing back, and ends with a line: one number never has two owners',
  async (t) => {
    await until(
      'the first holds all numbers again',
      async () => (await leases()).filter(({ node_id: nodeId }) => nodeId === NAME).length === numbers.length,
    )
    await until('each has its session', async () =>
      (await devices()).every(({ isAttached, state }) => isAttached && state === 'OPEN'),
    )
    const before = await devices()
    first.freeze()
    // Each message waits in a socket of the frozen gateway.
    await writeToAll()
    const later = await cluster.startNode()
    await until('the later one has every session', async () =>
      (await devices()).every(
        ({ socketsOpened, state }, at) => socketsOpened === (before[at]?.socketsOpened ?? 0) + 1 && state === 'OPEN',
      ),
    )
    const held = await until('the later one holds every number', async () => {
      const rows = await leases()
      return rows.length === numbers.length ? rows : null
    })
    first.resume()
    await writeToAll()
    const sent = await sendFromAll(later, 'beside one that was frozen')
    t.deepEqual(
      sent,
      numbers.map(() => ['beside one that was frozen']),
    )
    await until('the frozen one ends', () => !first.isRunning)
    t.is(first.program.child.exitCode, 1)
    t.regex(
      first.output,
      /^Another gateway is twin now, and this one stops: give each a NODE_ID, or a DATA_DIR, of its own$/m,
    )
    t.deepEqual(
      await toldOf(later),
      numbers.map(() => texts),
      'each is told of once',
    )
    t.deepEqual(await leases(), held, 'no number was taken anew')
    const after = await devices()
    t.deepEqual(
      after.map(({ socketsOpened }) => socketsOpened),
      before.map(({ socketsOpened }) => socketsOpened + 1),
    )
    t.deepEqual(
      after.map(({ socketsReplaced }) => socketsReplaced),
      before.map(({ socketsReplaced }) => socketsReplaced + 1),
    )
  },
)
