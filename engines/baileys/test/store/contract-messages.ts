import { externalIdOf } from '../../store/outgoing.ts'
import { POLL_MS } from '../../store/polls.ts'
import { QUOTE_MS, SEEN_MS } from '../../store/seen.ts'
import type { Declare } from './world.ts'

const HOUR_MS = 3_600_000
const POLL = { externalId: 'E1', messageId: 'msg_1', secret: Buffer.alloc(32, 3), options: ['Now', 'Later'] }
const KEY = { remoteJid: '4915100000001@s.whatsapp.net', participant: null, fromMe: false, id: 'M1' }

export function messagesContract(declare: Declare): void {
  declare('a sent message is found by either name for 72 hours', async (t, world) => {
    let now = 0
    const store = await world.open(() => now)
    const { outgoing } = await store.number('num_1')
    const externalId = externalIdOf('num_1', 'msg_1')
    const message = { messageId: 'msg_1', externalId, jid: '1@s.whatsapp.net', message: Buffer.from([1]) }
    await outgoing.begin(message)
    t.deepEqual(await outgoing.find('msg_1'), { ...message, state: 'PENDING' })
    await outgoing.markSent('msg_1')
    t.deepEqual(await outgoing.byExternalId(externalId), { ...message, state: 'SENT' })
    t.is(await (await store.number('num_2')).outgoing.find('msg_1'), null)
    now = 72 * HOUR_MS - 1
    t.is(await store.purge(), 0)
    now += 2
    t.is(await store.purge(), 1)
    t.is(await outgoing.find('msg_1'), null)
  })

  // [engines.baileys-duties.2]
  declare('a message that is begun twice is one, and keeps what it was begun with', async (t, world) => {
    const { outgoing } = await (await world.open()).number('num_1')
    const message = { messageId: 'msg_1', externalId: 'E1', jid: '1@s.whatsapp.net', message: Buffer.from([1]) }
    await outgoing.begin(message)
    await outgoing.begin({ ...message, message: Buffer.from([2]) })
    await outgoing.begin({ ...message, messageId: 'msg_2' })
    t.deepEqual(await outgoing.byExternalId('E1'), { ...message, state: 'PENDING' })
    await outgoing.noteArrived('E1')
    t.is((await outgoing.find('msg_1'))?.state, 'SENT')
    await outgoing.undo('msg_1')
    t.is(await outgoing.find('msg_1'), null)
  })

  // [engine-fleet.store.3]
  declare('what is known of a sent message, also that there is none, is what was committed last', async (t, world) => {
    const { outgoing } = await (await world.open()).number('num_1')
    const message = { messageId: 'msg_1', externalId: 'E1', jid: '1@s.whatsapp.net', message: Buffer.from([1]) }
    const states = async () => [
      (await outgoing.find('msg_1'))?.state,
      (await outgoing.byExternalId('E1'))?.state,
      (await outgoing.byExternalId('E1'))?.state,
    ]
    t.deepEqual(await states(), [undefined, undefined, undefined])
    const beginning = outgoing.begin(message)
    await Promise.all([outgoing.find('msg_1'), outgoing.byExternalId('E1')])
    await beginning
    t.deepEqual(await states(), ['PENDING', 'PENDING', 'PENDING'])
    await Promise.all([outgoing.markSent('msg_1'), outgoing.noteArrived('E1'), outgoing.markSent('msg_1'), states()])
    t.deepEqual(await states(), ['SENT', 'SENT', 'SENT'])
    const undoing = outgoing.undo('msg_1')
    await states()
    await undoing
    t.deepEqual(await states(), [undefined, undefined, undefined])
    await outgoing.begin({ ...message, messageId: 'msg_2' })
    t.is((await outgoing.byExternalId('E1'))?.messageId, 'msg_2')
    t.is(await outgoing.find('msg_1'), null)
  })

  declare('a poll is found by its number alone, until its time is over', async (t, world) => {
    let now = 1_000
    const first = await world.open(() => now)
    await (await first.number('one')).polls.note(POLL)
    await (await first.number('one')).polls.note({ ...POLL, messageId: 'msg_2' })
    await first.close()
    const store = await world.open(() => now)
    t.deepEqual(await (await store.number('one')).polls.find('E1'), POLL)
    t.is(await (await store.number('two')).polls.find('E1'), null)
    now += POLL_MS
    t.is(await store.purge(), 0)
    now += 1
    t.is(await store.purge(), 1)
    t.is(await (await store.number('one')).polls.find('E1'), null)
  })

  declare('a received message is known by its id, its words for 72 hours and itself for 30 days', async (t, world) => {
    let now = 1_000
    const store = await world.open(() => now)
    const { seen } = await store.number('num_1')
    const noting = seen.note({ key: KEY, text: 'words of Ann' })
    t.deepEqual(await seen.find('M1'), { key: KEY, text: 'words of Ann' })
    await noting
    await seen.note({ key: KEY, text: 'told again' })
    t.deepEqual(await seen.find('M1'), { key: KEY, text: 'words of Ann' })
    t.is(await seen.find('M2'), null)
    t.is(await (await store.number('num_2')).seen.find('M1'), null)
    now += QUOTE_MS + 1
    await store.purge()
    t.deepEqual(await seen.find('M1'), { key: KEY, text: '' })
    now += SEEN_MS
    await store.purge()
    t.is(await seen.find('M1'), null)
  })

  declare('the names of told messages are forgotten after 72 hours', async (t, world) => {
    let now = 1_000
    const store = await world.open(() => now)
    const { journal, write } = await store.number('num_1')
    await write(journal.told('A1', 0, now))
    now += 72 * HOUR_MS
    t.is(await store.purge(), 0)
    now += 1
    t.is(await store.purge(), 1)
    t.false(await journal.isTold('A1'))
  })
}
