/**
 * The cost of the actor layer, each figure beside its baseline of the same run:
 *   node --expose-gc bench/actors.ts
 * Asks: round trips through our runtime against bare queries of the actor library. Memory: idle number actors (goal: 20
 * KB each), and numbers that are known but have no actor (goal: nothing here).
 */
import { dispatch, query, spawn, start } from 'nact'
import { createDirectory, type DirectoryDeps } from '../actors/hosting/directory.ts'
import { LocalAsks } from '../src/cluster/asks-local.ts'
import { createRuntime } from '../actors/engine/runtime.ts'
import { succeed } from '../src/domain/errors.ts'
import type { NumberId } from '../src/domain/ids.ts'
import { newId } from '../src/domain/ids.ts'
import { leaseTimesOf } from '../src/domain/lease-times.ts'
import { LEASE_TTL_MS } from '../src/domain/limits.ts'
import type { ChannelNumber } from '../src/domain/number.ts'
import { DEFAULT_SETTINGS } from '../src/domain/number.ts'
import type { Log } from '../src/ports/log.ts'
import type { MediaPort } from '../src/ports/media.ts'
import type { Metrics } from '../src/ports/metrics.ts'
import type { CallStore } from '../src/ports/stores/call-store.ts'
import type { MessageInbox } from '../src/ports/stores/message-inbox.ts'
import type { NumberStore } from '../src/ports/stores/number-store.ts'
import type { SendQueue } from '../src/ports/stores/send-queue.ts'
import { systemClock } from '../src/process/clock.ts'

const ASKS = 100_000
const AT_ONCE = 100
const ROUNDS = 3
const IDLE = 10_000
const KNOWN = 100_000

const log: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {}, child: () => log }
const metrics: Metrics = {
  counter: () => ({ add: () => {} }),
  gauge: () => ({ set: () => {} }),
  histogram: () => ({ observe: () => {} }),
}

/** Runs ASKS asks, AT_ONCE of them at any moment; resolves to asks per second. */
async function rate(ask: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let i = 0; i < ASKS / AT_ONCE; i++) await ask()
    }),
  )
  return ASKS / ((performance.now() - began) / 1_000)
}

async function askRates(): Promise<{ ours: number; bare: number }> {
  const system = start()
  type Asked = { sender: Parameters<typeof dispatch>[0] }
  const bareActor = spawn(
    system,
    (state: number, message: Asked) => {
      dispatch(message.sender, state + 1)
      return state + 1
    },
    'bare',
    { initialState: 0 },
  )
  const runtime = createRuntime({ clock: systemClock, log, metrics })
  const actor = runtime.spawn<number, { type: 'Add'; askId: number }>('ours', {
    kind: 'bench',
    initial: 0,
    crashed: () => null,
    undelivered: () => {},
    receive(state, message, self) {
      self.reply(message.askId, succeed(state + 1))
      return state + 1
    },
  })
  const bare = () => query(bareActor, (sender: Asked['sender']) => ({ sender }), 20_000)
  const ours = () => actor.ask((askId) => ({ type: 'Add', askId }), 20_000)
  let best = { ours: 0, bare: 0 }
  for (let round = 0; round < ROUNDS; round++) {
    best = { bare: Math.max(best.bare, await rate(bare)), ours: Math.max(best.ours, await rate(ours)) }
  }
  runtime.close()
  return best
}

const unused = (): never => {
  throw new Error('not part of this measurement')
}

/** Stores that make each row on demand, so that only the memory of actors is measured. */
function stores(): DirectoryDeps['stores'] {
  const row = (id: NumberId): ChannelNumber => ({
    id,
    tenantId: 'ten_bench',
    name: 'Bench',
    number: '5511900000000',
    provider: 'UNOFFICIAL',
    state: 'CLOSE',
    isFullyConnected: false,
    isPaired: false,
    pairingReason: null,
    settings: { ...DEFAULT_SETTINGS },
    piiMode: 'STORE_INDEFINITE',
    piiRetentionDays: null,
    createdAt: new Date(),
    updatedAt: new Date(),
  })
  const numbers: NumberStore = {
    create: unused,
    find: unused,
    findByDigits: unused,
    listSome: unused,
    count: unused,
    list: unused,
    patch: unused,
    remove: unused,
    usage: unused,
    saveConnection: unused,
    load: async (id) => row(id),
    credentials: async () => ({ credentials: null, ackedSeq: 0 }),
    voiceOf: async () => null,
  }
  const calls: CallStore = {
    insert: unused,
    transition: unused,
    setExternalId: unused,
    savePlayback: unused,
    remove: unused,
    find: async () => null,
    list: async () => [],
    listOfTenant: async () => [],
    findOfTenant: async () => null,
    listLive: async () => [],
  }
  const sendQueue: SendQueue = {
    heads: async () => [],
    begin: unused,
    settle: unused,
    nextDueAt: async () => null,
    letGo: async () => [],
    listDue: async () => [],
    waiting: unused,
    expire: unused,
  }
  const messageInbox: MessageInbox = { receive: unused, tell: unused, report: unused, change: unused, name: unused }
  return {
    numbers,
    calls,
    pairing: { consume: unused },
    sendQueue,
    messageInbox,
    reach: { take: unused, giveBack: unused },
    setAside: { change: unused, deviceEvent: unused, note: unused, errand: unused },
  }
}

function heapBytes(): number {
  for (let i = 0; i < 4; i++) globalThis.gc?.()
  return process.memoryUsage().heapUsed
}

async function memory(): Promise<{ idleBytes: number; knownBytes: number }> {
  const held = new Set<NumberId>()
  const media = { onEvent: () => {} } as unknown as MediaPort
  const directory = createDirectory({
    inbound: { pending: async () => [], settle: async () => 'applied', listPending: async () => [] },
    readCallEvents: () => [],
    readMessageEvents: () => [],
    files: { prepare: unused, rehost: unused },
    wantsStories: async () => false,
    templateRefused: () => {},
    mediaKnown: () => {},
    peerTyping: () => {},
    conversationOf: () => 'conv_bench',
    stores: stores(),
    registry: { driver: () => null },
    media,
    clock: systemClock,
    log,
    metrics,
    asks: new LocalAsks(),
    errands: {
      note: async () => null,
      done: async () => {},
      takeDue: async () => [],
      failed: async () => 0,
      purge: async () => 0,
    },
    placement: {
      join: async () => true,
      leave: async () => {},
      forget: async () => {},
      census: async () => ({ nodes: 1, numbers: 0, mine: 0 }),
      look: async () => ({ isWanted: false, deathInMs: null }),
      claim: async () => [],
      listFree: async () => ({ free: [], next: null }),
    },
    leases: {
      nodeId: newId('node'),
      times: leaseTimesOf(LEASE_TTL_MS),
      renew: async () => ({ kept: [...held], over: [] }),
      reclaim: async (fences) => fences.map(({ numberId }) => numberId),
      release: async () => {},
      ownerOf: async () => null,
      acquire: async (numberId) => {
        held.add(numberId)
        return { numberId, token: 1 }
      },
    },
  })
  const ids = Array.from({ length: KNOWN }, () => newId('num'))
  const before = heapBytes()
  await directory.start()
  const known = heapBytes()
  for (let i = 0; i < IDLE; i += AT_ONCE) {
    await Promise.all(ids.slice(i, i + AT_ONCE).map((id) => directory.askNumber(id, 'CurrentCode', {})))
  }
  const idle = heapBytes()
  if (directory.stats().numbers !== IDLE) throw new Error('the actors are not there')
  await directory.stop()
  return { idleBytes: (idle - known) / IDLE, knownBytes: (known - before) / ids.length }
}

const { ours, bare } = await askRates()
console.log(`asks a second: ${Math.round(ours)}, bare queries ${Math.round(bare)}: ratio ${(ours / bare).toFixed(2)}`)
const { idleBytes, knownBytes } = await memory()
console.log(
  `heap of an idle number actor: ${(idleBytes / 1_000).toFixed(1)} KB of 20 KB: ratio ${(idleBytes / 20_000).toFixed(2)}${globalThis.gc ? '' : ' (run with --expose-gc)'}`,
)
console.log(`heap of a number that is only known, of ${KNOWN}: ${Math.max(0, knownBytes).toFixed(1)} bytes`)
process.exit(0)
