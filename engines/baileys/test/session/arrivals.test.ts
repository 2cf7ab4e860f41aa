import { proto, type WAMessage } from 'baileys'
import test, { type ExecutionContext } from 'ava'
import { createLog } from '../../process/log.ts'
import { Arrivals } from '../../session/arrivals.ts'
import type { LiveSession } from '../../session/live-session.ts'
import { buildMessage } from '../../socket/build-message.ts'
import { openStore, temporaryFolder } from '../helpers/open-store.ts'

const OWN = { id: '5511999990001:1@s.whatsapp.net', lid: '100:1@lid' }
const { Type } = proto.Message.ProtocolMessage

/**
 * A number whose journal holds the phone's notice of a history. `library` collects what the library was given to read.
 */
async function world(t: ExecutionContext) {
  const store = openStore(temporaryFolder(t))
  t.teardown(() => store.close())
  const number = await store.number('num_1')
  const plaintext = proto.Message.encode({ protocolMessage: { type: Type.HISTORY_SYNC_NOTIFICATION } }).finish()
  await number.journal.put({
    attrs: { from: '5511999990001@s.whatsapp.net', id: 'H1', type: 'text', category: 'peer', t: '1' },
    part: 0,
    parts: 1,
    type: 'plaintext',
    plaintext,
  })
  const untold = await number.journal.untold()
  const [journalled] = untold
  const message = journalled && buildMessage(journalled, OWN)
  if (!journalled || !message) throw new Error('the journal holds no message')
  const kept = Promise.withResolvers<void>()
  const told = Promise.withResolvers<void>()
  const live = { store: number, log: createLog('silent', () => {}) } as unknown as LiveSession
  const arrivals = new Arrivals(
    live,
    async (events, key) => {
      await number.events.add(events, key, number.journal.told(key ?? '', events.length, 1))
      told.resolve()
    },
    () => kept.promise,
  )
  const library: (string | null | undefined)[] = []
  const sock = { upsertMessage: async ({ key }: WAMessage) => void library.push(key.id) }
  return {
    number,
    untold,
    journal: number.journal,
    messageKey: journalled.messageKey,
    message,
    arrivals,
    kept,
    told,
    library,
    sock,
  }
}

test('a history that the engine was killed with before it was kept is read again: its notice leaves the journal once the library read it and all of it is on the disk', async (t) => {
  const { number, journal, messageKey, message, arrivals, kept, told } = await world(t)
  const read = Promise.withResolvers<void>()
  arrivals.arrived(message, { messageKey, isNew: true }, () => read.promise)
  await number.settled()
  t.is((await journal.untold()).length, 1, 'the library reads it yet')
  read.resolve()
  await number.settled()
  t.is((await journal.untold()).length, 1, 'what it told is not on the disk yet')
  kept.resolve()
  await told.promise
  t.deepEqual(await journal.untold(), [])
  t.true(await journal.isTold(messageKey))
})

test('a notice that an earlier life did not get to is handed to the library once, and leaves the journal when all of it is kept', async (t) => {
  const { journal, untold, messageKey, arrivals, kept, library, sock } = await world(t)
  arrivals.replay(untold, OWN)
  t.deepEqual(library, [])
  const replaying = arrivals.replayProtocol(sock as never)
  t.is((await journal.untold()).length, 1)
  kept.resolve()
  await replaying
  t.deepEqual(library, ['H1'])
  t.true(await journal.isTold(messageKey))
  arrivals.replay(await journal.untold(), OWN)
  await arrivals.replayProtocol(sock as never)
  t.deepEqual(library, ['H1'])
})

/**
 * A number to which a message comes. `tellings` collects what is on its way to the disk, `asked` what the journal was
 * asked for.
 */
async function messageWorld(t: ExecutionContext) {
  const store = openStore(temporaryFolder(t))
  t.teardown(() => store.close())
  const number = await store.number('num_1')
  const tellings: PromiseWithResolvers<void>[] = []
  const asked: string[] = []
  const isTold = (messageKey: string) => {
    asked.push(messageKey)
    return number.journal.isTold(messageKey)
  }
  const live = {
    store: { ...number, journal: { ...number.journal, isTold } },
    number: '5511999990001',
    settings: {},
    lids: { phoneOf: async () => null, lidOf: async () => null },
    log: createLog('silent', () => {}),
  } as unknown as LiveSession
  const arrivals = new Arrivals(
    live,
    () => {
      const telling = Promise.withResolvers<void>()
      tellings.push(telling)
      return telling.promise
    },
    () => Promise.resolve(),
  )
  const message = {
    key: { remoteJid: '5511888880001@s.whatsapp.net', fromMe: false, id: 'M1' },
    message: { conversation: 'hi' },
    messageTimestamp: 1,
  } as WAMessage
  const arrive = async (isNew = false) => {
    arrivals.arrived(message, { messageKey: 'key of M1', isNew }, () => Promise.resolve())
    await arrivals.inTurn(() => Promise.resolve())
  }
  return { arrive, tellings, asked }
}

test('a message that was decrypted for the first time is told without asking the store whether it was', async (t) => {
  const { arrive, tellings, asked } = await messageWorld(t)
  await arrive(true)
  t.is(tellings.length, 1)
  t.deepEqual(asked, [])
})

test('a message that comes again while its telling is on its way to the disk is told once, and once more when that failed', async (t) => {
  const { arrive, tellings } = await messageWorld(t)
  await arrive()
  await arrive()
  t.is(tellings.length, 1)
  tellings[0]?.reject(new Error('the disk is full'))
  await new Promise((resolve) => setImmediate(resolve))
  await arrive()
  t.is(tellings.length, 2)
})
