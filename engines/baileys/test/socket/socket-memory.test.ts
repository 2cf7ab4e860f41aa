import { createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import test, { registerCompletionHandler, type ExecutionContext } from 'ava'
import { initAuthCreds, MessageRetryManager, proto } from 'baileys'
import { Expiring } from '../../process/expiring.ts'
import { QUIET } from '../../socket/quiet-logger.ts'
import { openSocket, type LifeEvents, type SocketLife } from '../../socket/socket-life.ts'
import { forgetCaches, growRetryTables, socketCaches } from '../../socket/socket-memory.ts'
import { openStore, temporaryFolder } from '../helpers/open-store.ts'

registerCompletionHandler(() => process.exit())

/**
 * our choice: KiB of heap that a socket at rest may take. It takes 74; 98 with the caches that the library makes, 138
 * with its tables.
 */
const MOST_KIB = 86

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

function retries(): MessageRetryManager {
  const messageRetryManager = new MessageRetryManager(QUIET, 5)
  growRetryTables({ messageRetryManager })
  return messageRetryManager
}

test('the library still has the tables that are replaced', (t) => {
  const manager = new MessageRetryManager(QUIET, 5)
  const tables = manager as unknown as Readonly<Record<string, { readonly get?: unknown } | undefined>>
  for (const name of ['recentMessagesMap', 'baseKeys']) t.is(typeof tables[name]?.get, 'function', name)
  t.true(tables['messageKeyIndex'] instanceof Map)
  growRetryTables({ messageRetryManager: manager })
  for (const name of ['recentMessagesMap', 'baseKeys']) t.true(tables[name] instanceof Expiring, name)
})

function textOf(manager: MessageRetryManager, chat: string, id: string): string | null | undefined {
  return manager.getRecentMessage(chat, id)?.message.conversation
}

test('the caches of two sockets do not mix, and end with their socket', async (t) => {
  const [one, other] = [socketCaches(), socketCaches()]
  for (const name of Object.keys(one) as (keyof typeof one)[]) {
    await one[name].set('same key', 'of one')
    t.is(await other[name].get('same key'), undefined, name)
    await other[name].set('same key', 'of the other')
    t.is(await one[name].get('same key'), 'of one', name)
    await one[name].del('same key')
    t.is(await one[name].get('same key'), undefined, name)
  }
  forgetCaches(other)
  for (const [name, cache] of Object.entries(other)) t.is(await cache.get('same key'), undefined, name)
})

test('the library finds a message to repeat in the table that grows, until it was repeated', (t) => {
  const manager = retries()
  manager.addRecentMessage('chat', 'id', proto.Message.create({ conversation: 'hello' }))
  t.is(textOf(manager, 'chat', 'id'), 'hello')
  t.is(textOf(manager, 'other chat', 'id'), undefined)
  manager.markRetrySuccess('id')
  t.is(textOf(manager, 'chat', 'id'), undefined)
})

test('the library keeps the newest 512 messages to repeat, and none of them once the socket ended', (t) => {
  const manager = retries()
  for (let id = 0; id <= 512; id++)
    manager.addRecentMessage('chat', `id ${id}`, proto.Message.create({ conversation: `text ${id}` }))
  t.is(textOf(manager, 'chat', 'id 0'), undefined)
  t.is(textOf(manager, 'chat', 'id 1'), 'text 1')
  t.is(textOf(manager, 'chat', 'id 512'), 'text 512')
  const { messageKeyIndex, recentMessagesMap } = manager as unknown as {
    messageKeyIndex: Map<string, string>
    recentMessagesMap: Expiring<unknown>
  }
  t.is(messageKeyIndex.size, 512, 'its index forgets what its table forgot')
  manager.clear()
  t.deepEqual([messageKeyIndex.size, recentMessagesMap.size], [0, 0])
})

test('the library knows the key that a message was repeated with', (t) => {
  const manager = retries()
  manager.saveBaseKey('address', 'id', Buffer.from([1, 2]))
  t.true(manager.hasSameBaseKey('address', 'id', Buffer.from([1, 2])))
  t.false(manager.hasSameBaseKey('address', 'id', Buffer.from([1, 3])))
  manager.deleteBaseKey('address', 'id')
  t.false(manager.hasSameBaseKey('address', 'id', Buffer.from([1, 2])))
})

/** A session that hears nothing. */
const UNHEARD: LifeEvents = {
  qr: () => {},
  paired: () => Promise.resolve(),
  credsChanged: () => {},
  open: () => {},
  message: () => {},
  told: () => Promise.resolve(),
  ended: () => {},
  failed: () => {},
}

/** The port of a network that accepts and stays silent. */
async function silentNetwork(t: ExecutionContext): Promise<string> {
  const server = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function heapKib(): number {
  // What a collection finalises is freed by the next.
  collect()
  collect()
  return process.memoryUsage().heapUsed / 1_024
}

test('a socket at rest holds no tables for messages that never came', async (t) => {
  const socketUrl = await silentNetwork(t)
  const store = openStore(temporaryFolder(t))
  const lives: SocketLife[] = []
  const open = async (index: number): Promise<void> => {
    const options = { socketUrl, version: null, agent: null, mediaAgent: null, isAlwaysOnline: false }
    const number = await store.number(`num_${index}`)
    lives.push(openSocket({ ...options, store: number, creds: initAuthCreds(), historyImport: false }, UNHEARD))
  }
  t.teardown(() => lives.forEach((life) => life.end()))
  // The first ones load and compile what all share.
  for (let index = 0; index < 20; index++) await open(index)
  const before = heapKib()
  const count = 40
  for (let index = 0; index < count; index++) await open(100 + index)
  const each = (heapKib() - before) / count
  t.log(`${each.toFixed(0)} KiB`)
  t.true(each < MOST_KIB, `${each.toFixed(0)} KiB of heap a socket`)
})
