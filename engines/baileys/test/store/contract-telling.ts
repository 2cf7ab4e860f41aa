import type { Declare } from './world.ts'
import { keyOf, part } from './parts.ts'

export function tellingContract(declare: Declare): void {
  // [engines.baileys-duties.1]
  declare(
    'a journalled message leaves once all its events were acknowledged, and its name is remembered',
    async (t, world) => {
      const store = await world.open()
      const { journal, events } = await store.number('num_1')
      await journal.put(part('A1'))
      t.is((await journal.untold()).length, 1)
      const told = [{ ev: 'message.received' }, { ev: 'message.edited' }]
      const kept = await events.add(told, keyOf('A1'), journal.told(keyOf('A1'), 2, 1))
      t.is((await journal.untold()).length, 0)
      t.truthy(await journal.find(keyOf('A1'), 0))
      await store.close()
      const again = await (await world.open()).number('num_1')
      t.deepEqual(await again.events.after(0, 10), kept)
      t.is((await again.journal.untold()).length, 0)
      await again.events.acknowledge(() => kept[0]!.seq)
      t.truthy(await again.journal.find(keyOf('A1'), 0))
      await again.events.acknowledge(() => kept[1]!.seq)
      t.deepEqual(await again.journal.find(keyOf('A1'), 0), { plaintext: null })
      t.true(await again.journal.isTold(keyOf('A1')))
      t.is(again.events.waiting, 0)
    },
  )

  declare('a message that no event is made of leaves the journal when it was told', async (t, world) => {
    const { journal, events } = await (await world.open()).number('num_1')
    await journal.put(part('A1'))
    await events.add([], keyOf('A1'), journal.told(keyOf('A1'), 0, 1))
    t.deepEqual(await journal.find(keyOf('A1'), 0), { plaintext: null })
    t.is(await journal.find(keyOf('A2'), 0), null)
    t.true(await journal.isTold(keyOf('A1')))
    t.false(await journal.isTold(keyOf('A2')))
  })

  declare(
    'a part that comes again changes nothing, and after its message was told it is not kept',
    async (t, world) => {
      const { journal, events } = await (await world.open()).number('num_1')
      await journal.put(part('A1'))
      await journal.put({ ...part('A1'), plaintext: Buffer.from('others') })
      t.is(Buffer.from((await journal.find(keyOf('A1'), 0))?.plaintext ?? []).toString(), 'secret words A1')
      await events.add([], keyOf('A1'), journal.told(keyOf('A1'), 0, 1))
      await journal.put(part('A1'))
      t.deepEqual(await journal.untold(), [])
      t.deepEqual(await journal.find(keyOf('A1'), 0), { plaintext: null })
    },
  )

  declare('a journalled message that was not told is found again, parts and order kept', async (t, world) => {
    const store = await world.open()
    const { journal } = await store.number('num_1')
    await Promise.all(['A3', 'A1', 'A2'].flatMap((id) => [journal.put(part(id, 0, 2)), journal.put(part(id, 1, 2))]))
    await store.close()
    const untold = await (await (await world.open()).number('num_1')).journal.untold()
    t.deepEqual(
      untold.map(({ parts }) => [parts[0]?.attrs['id'], parts.length]),
      [
        ['A3', 2],
        ['A1', 2],
        ['A2', 2],
      ],
    )
    t.is(Buffer.from(untold[0]!.parts[0]!.plaintext).toString(), 'secret words A3')
  })

  declare(
    'numbers of events rise, also where all were acknowledged, and after the store was lost',
    async (t, world) => {
      const store = await world.open(() => 1_000)
      const { events } = await store.number('num_1')
      const [first] = await events.add([{ ev: 'a' }], null)
      t.is(first?.seq, 1_001)
      t.is(events.number({ ev: 'b' }).seq, 1_002)
      await events.acknowledge(() => 1_001)
      await store.close()
      const again = await world.open(() => 500)
      const [second] = await (await again.number('num_1')).events.add([{ ev: 'a' }], null)
      t.is(second?.seq, 1_002)
      const [other] = await (await again.number('num_2')).events.add([{ ev: 'a' }], null)
      t.is(other?.seq, 501)
    },
  )

  declare('after a reconnect only the latest of the waiting states and codes is told again', async (t, world) => {
    const store = await world.open()
    const { events } = await store.number('num_1')
    await events.add(
      [
        { ev: 'session.qr', qr: 'a' },
        { ev: 'session.qr', qr: 'b' },
        { ev: 'message.received' },
        { ev: 'session.state', state: 'OPEN' },
        { ev: 'session.credentials' },
      ],
      null,
    )
    await events.add([{ ev: 'session.state', state: 'CONNECTING' }], null)
    t.deepEqual(
      (await events.after(0, 10)).map(({ ev, state }) => [ev, state].join(' ')),
      ['message.received ', 'session.credentials ', 'session.state CONNECTING'],
    )
    t.is(events.waiting, 3)
    t.true(await events.has('session.credentials'))
    t.false(await events.has('session.qr'))
    await store.close()
    t.is((await (await world.open()).number('num_1')).events.waiting, 3)
  })

  declare('events come in their order, from a number on and as many as asked for', async (t, world) => {
    const { events } = await (await world.open()).number('num_1')
    const added = await Promise.all(
      ['a', 'b', 'c', 'd'].map((name) => events.add([{ ev: 'message.received', name }], null)),
    )
    const [first] = added[0] ?? []
    t.deepEqual(
      (await events.after(first!.seq, 2)).map(({ name }) => name),
      ['b', 'c'],
    )
  })

  declare('a backlog gives its oldest events, and forgets them with the commit that told them', async (t, world) => {
    const store = await world.open()
    const number = await store.number('num_1')
    await number.backlog.put(['a', 'b', 'c'].map((name) => ({ ev: 'message.received', name })))
    await (await store.number('num_2')).backlog.put([{ ev: 'message.received', name: 'other' }])
    const { events, removal } = await number.backlog.first(2)
    t.deepEqual(
      events.map(({ name }) => name),
      ['a', 'b'],
    )
    await number.events.add(events, null, removal)
    await store.close()
    const again = await world.open()
    const names = async (id: string) => (await (await again.number(id)).backlog.first(9)).events.map(({ name }) => name)
    t.deepEqual(await names('num_1'), ['c'])
    t.is((await again.number('num_1')).events.waiting, 2)
    t.deepEqual(await names('num_2'), ['other'])
    t.deepEqual((await (await again.number('num_3')).backlog.first(9)).removal, [])
  })
}
