import { Curve, initAuthCreds } from 'baileys'
import { JOURNAL_TYPE } from '../../store/keys.ts'
import type { Declare } from './world.ts'
import { keyOf, part } from './parts.ts'

const one = Buffer.from([1])
const two = Buffer.from([2])

export function keysContract(declare: Declare): void {
  declare('the 812 keys of a first login are one commit, and read back as they were', async (t, world) => {
    const store = await world.open()
    const { keys } = await store.number('num_1')
    const pairs = Object.fromEntries(
      Array.from({ length: 812 }, (_, index) => [String(index + 1), Curve.generateKeyPair()]),
    )
    await keys.set({ 'pre-key': pairs })
    await store.close()
    const again = await (await world.open()).number('num_1')
    const read = await again.keys.get('pre-key', ['1', '812', '813'])
    t.deepEqual(Object.keys(read).toSorted(), ['1', '812'])
    t.deepEqual(Buffer.from(read['812']!.private), Buffer.from(pairs['812']!.private))
    await again.keys.set({ 'pre-key': { 1: null } })
    t.deepEqual(await again.keys.get('pre-key', ['1']), {})
  })

  declare('a key that was not there is found once it was stored, and not once it was removed', async (t, world) => {
    const { keys } = await (await world.open()).number('num_1')
    const values = {
      session: one,
      'lid-mapping': '123@lid',
      tctoken: { token: one, timestamp: '1' },
      'sender-key': one,
      'sender-key-memory': { '1@lid': true },
    }
    for (const [type, value] of Object.entries(values) as [keyof typeof values, never][]) {
      const read = async () => (await keys.get(type, ['a', 'b']))['a']
      t.is(await read(), undefined)
      t.is(await read(), undefined)
      await keys.set({ [type]: { a: value } })
      t.deepEqual(await read(), value)
      t.deepEqual(await read(), value)
      await keys.set({ [type]: { a: null } })
      t.is(await read(), undefined)
    }
  })

  declare(
    'keys of one number are not those of another, and those of one type not those of another',
    async (t, world) => {
      const store = await world.open()
      await (await store.number('num_1')).keys.set({ session: { a: one } })
      t.deepEqual(await (await store.number('num_2')).keys.get('session', ['a']), {})
      t.deepEqual(await (await store.number('num_1')).keys.get('sender-key', ['a']), {})
      t.deepEqual(await (await store.number('num_1')).keys.get('session', []), {})
    },
  )

  // [engines.baileys-duties.1] [engine-fleet.store.1]
  declare('a ratchet step and the journal row of its message are stored together or not at all', async (t, world) => {
    const store = await world.open()
    const { keys, journal } = await store.number('num_1')
    const step = { session: { a: one }, [JOURNAL_TYPE]: { row: part('A1') } }
    await keys.set(step as never)
    await store.close()
    const again = await world.open()
    const number = await again.number('num_1')
    t.deepEqual(Object.keys(await number.keys.get('session', ['a'])), ['a'])
    t.is(Buffer.from((await number.journal.find(keyOf('A1'), 0))?.plaintext ?? []).toString(), 'secret words A1')
    // The last change of the task fails.
    const [taken] = await number.events.add([{ ev: 'a' }], null)
    await t.throwsAsync(
      number.write([
        journal.row(part('A2')),
        { op: 'key.put', numberId: 'num_1', type: 'session', id: 'b', value: two },
        { op: 'event.put', numberId: 'num_1', seq: taken!.seq, ev: 'a', messageKey: null, value: two },
      ]),
    )
    t.is(await number.journal.find(keyOf('A2'), 0), null)
    t.deepEqual(await number.keys.get('session', ['b']), {})
  })

  declare(
    'a value is that of the last commit, also right after it, after a failure and after a deletion',
    async (t, world) => {
      const store = await world.open()
      const { keys } = await store.number('num_1')
      const read = async () => (await keys.get('session', ['a']))['a']
      await keys.set({ session: { a: one } })
      t.deepEqual(await read(), one)
      const setting = keys.set({ session: { a: two } })
      await Promise.all([read(), read()])
      await setting
      t.deepEqual(await read(), two)
      const circle: Record<string, unknown> = {}
      circle['self'] = circle
      await t.throwsAsync(keys.set({ session: { a: circle } } as never))
      t.deepEqual(await read(), two)
      const removing = keys.set({ session: { a: null } })
      await read()
      await removing
      t.is(await read(), undefined)
      await keys.set({ session: { a: one } })
      await keys.clear()
      t.is(await read(), undefined)
    },
  )

  declare(
    'commits of one number are in the order they were asked for, while others write beside it',
    async (t, world) => {
      const store = await world.open()
      const numbers = await Promise.all(['num_1', 'num_2', 'num_3'].map((id) => store.number(id)))
      const order: string[] = []
      await Promise.all(
        numbers.flatMap(({ keys }, place) =>
          Array.from({ length: 20 }, async (_, index) => {
            // Some are asked for in another turn of the event loop.
            for (let turn = 0; turn < index % 5; turn++) await new Promise((resolve) => setImmediate(resolve))
            order.push(`${place} ${index}`)
            await keys.set({ session: { a: Buffer.from([index]) } })
          }),
        ),
      )
      await store.close()
      const again = await world.open()
      for (const [place, id] of ['num_1', 'num_2', 'num_3'].entries()) {
        const last = order.findLast((entry) => entry.startsWith(`${place} `))
        t.deepEqual(
          (await (await again.number(id)).keys.get('session', ['a']))['a'],
          Buffer.from([Number(last?.slice(2))]),
        )
      }
    },
  )

  declare('a failed piece of work undoes nothing of the others in the same commit', async (t, world) => {
    const store = await world.open()
    const [{ keys }, other] = await Promise.all([store.number('num_1'), store.number('num_2')])
    const event = { op: 'event.put', numberId: 'num_2', seq: 5, ev: 'a', messageKey: null, value: one } as const
    const outcomes = await Promise.allSettled([
      keys.set({ session: { a: one } }),
      other.write([event, event]),
      keys.set({ session: { b: two } }),
    ])
    t.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    )
    await store.close()
    const again = await world.open()
    t.deepEqual(Object.keys(await (await again.number('num_1')).keys.get('session', ['a', 'b'])), ['a', 'b'])
    t.is((await again.number('num_2')).events.waiting, 0)
  })

  declare(
    'a session is found by its number, with its credentials, and a later one takes its place',
    async (t, world) => {
      const store = await world.open()
      const number = await store.number('num_1')
      t.is(await number.session(), null)
      const [first, second] = [initAuthCreds(), initAuthCreds()]
      await number.saveSession({ sessionId: 's1', number: '491700', creds: first })
      await number.saveSession({ sessionId: 's2', number: '491701', creds: second })
      await store.close()
      const again = await world.open()
      const found = await (await again.number('num_1')).session()
      t.like(found, { sessionId: 's2', number: '491701' })
      t.is(found?.creds.advSecretKey, second.advSecretKey)
      t.deepEqual(Buffer.from(found!.creds.noiseKey.private), Buffer.from(second.noiseKey.private))
      t.deepEqual(await again.linked(), ['num_1'])
    },
  )

  declare('a wiped device leaves no keys and no words of it, and keeps messages that wait', async (t, world) => {
    const store = await world.open()
    const number = await store.number('num_1')
    await number.saveSession({ sessionId: 's', number: '1', creds: initAuthCreds() })
    await number.keys.set({ session: { a: one } })
    await number.events.add([{ ev: 'session.credentials' }, { ev: 'message.received' }], null)
    await number.wipeSession()
    t.is(await number.session(), null)
    t.deepEqual(await number.keys.get('session', ['a']), {})
    t.deepEqual(
      (await number.events.after(0, 10)).map(({ ev }) => ev),
      ['message.received'],
    )
    t.is(number.events.waiting, 1)
  })

  // [engines.baileys.10] [engine-fleet.store.2]
  declare('nothing that people wrote, nor a credential, is kept in plain', async (t, world) => {
    const store = await world.open()
    const number = await store.number('num_1')
    const creds = initAuthCreds()
    const message = Buffer.from('secret words')
    await number.journal.put(part('A1'))
    await number.saveSession({ sessionId: 's', number: '491700', creds })
    await number.keys.set({ session: { a: Buffer.from('secret words') } })
    await number.events.add([{ ev: 'message.received', text: 'secret words' }], null)
    await number.outgoing.begin({ messageId: 'm', externalId: 'x', jid: '491709@s.whatsapp.net', message })
    await number.polls.note({ externalId: 'x', messageId: 'm', secret: message, options: ['secret words'] })
    await number.seen.note({
      key: { remoteJid: '491709@s.whatsapp.net', participant: null, fromMe: false, id: 'M' },
      text: 'secret words',
    })
    await number.backlog.put([{ ev: 'message.received', text: 'secret words' }])
    const kept = await world.atRest()
    t.true(kept.includes('num_1'))
    const hidden = ['secret words', message.toString('base64'), message.toString('hex'), creds.advSecretKey, '491709']
    for (const plain of hidden) t.false(kept.includes(plain), plain)
    t.is((await number.session())?.creds.advSecretKey, creds.advSecretKey)
  })
}
