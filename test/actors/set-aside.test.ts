import test from 'ava'
import { setAsideDesk } from '../../src/gateway/set-aside-desk.ts'
import { patientClock, systemClock } from '../../src/process/clock.ts'
import { newTenant } from '../contracts/official-store.ts'
import { accepted, direct } from '../contracts/message-world.ts'
import { newCall, newNumber, ownedNumber } from '../contracts/world.ts'
import { openTestDatabase, sharedDatabase } from '../helpers/database.ts'
import { until } from '../helpers/until.ts'
import { worldsOver } from '../contracts/sql-worlds.ts'
import { storedNode, toldNumber, toldOffer, toldText } from './stored-node.ts'

const database = sharedDatabase(test, openTestDatabase)
const worlds = worldsOver(database)

/** Rows with this id cannot be stored while the constraint stands. No reader of changes knows about it. */
const POISON = 'wamid.POISON'
const FAULTS = [
  ['messages', `external_id is null or external_id not like '${POISON}%'`],
  ['calls', `external_call_id is null or external_call_id not like '${POISON}%'`],
] as const

async function poison(isOn: boolean): Promise<void> {
  for (const [table, rule] of FAULTS)
    await database().query(
      isOn
        ? `alter table ${table} add constraint poisoned check (${rule}) not valid`
        : `alter table ${table} drop constraint poisoned`,
    )
}

/** Real time, 30 times faster, so that retries give up within a moment. */
const hasty = patientClock(systemClock, 1 / 30)

/** Serial, because the constraint applies to the whole database. */
test.serial('a change that cannot be stored is set aside, and 330 that follow it are shown', async (t) => {
  const world = worlds()
  const { stores } = world
  const { numberId, post, workedOff } = await toldNumber(world)
  await poison(true)
  const { directory } = storedNode(database(), world, 'OFFICIAL', { clock: hasty })
  const desk = setAsideDesk({ ...stores, enqueue: null })
  try {
    await post([
      toldText(`${POISON}.1`),
      toldOffer(`${POISON}.2`),
      ...Array.from({ length: 330 }, (_, at) => toldText(`wamid.${at}`)),
      toldOffer('wacid.fine'),
    ])
    await workedOff(directory.receive)
    for (const at of [0, 100, 329]) t.not(await stores.messages.find(numberId, `wamid.${at}`), null)
    t.not(await stores.calls.find(numberId, 'wacid.fine'), null)
    const items = (await desk.list()).filter((item) => item.numberId === numberId)
    t.deepEqual(
      items.map(({ line, reason }) => [line, reason]),
      [
        ['changes', '23514'],
        ['changes', '23514'],
      ],
    )
    t.false((await world.rawTable('set_aside')).includes(POISON))

    await poison(false)
    t.deepEqual(await desk.retry({ ids: items.map(({ id }) => id), line: null, isAll: false }), {
      done: items.map(({ id }) => id),
      final: [],
      unknown: [],
    })
    await workedOff(directory.receive)
    t.not(await stores.messages.find(numberId, `${POISON}.1`), null)
    t.not(await stores.calls.find(numberId, `${POISON}.2`), null)
    t.deepEqual(
      (await desk.list()).filter((item) => item.numberId === numberId),
      [],
    )
  } finally {
    await poison(false).catch(() => {})
    await directory.stop()
  }
})

test.serial(
  'an event of an engine that cannot be stored is set aside and acknowledged, and is stored once that is possible',
  async (t) => {
    const world = worlds()
    const { stores } = world
    const created = await stores.numbers.create(newNumber(await newTenant(world)))
    if (!created.ok) return t.fail(created.error.code)
    const numberId = created.value.number.id
    const { driver, directory } = storedNode(database(), world, 'UNOFFICIAL', { clock: hasty })
    const desk = setAsideDesk({ ...stores, enqueue: null })
    const mine = async () => (await desk.list()).filter((item) => item.numberId === numberId)
    await directory.askNumber(numberId, 'Pair', { waitMs: 0 })
    await until('the session is open', () => driver.sessions.length > 0)
    await poison(true)
    try {
      const message = (externalMessageId: string) =>
        ({
          type: 'messageReceived',
          externalMessageId,
          from: '5511888777666',
          fromName: null,
          to: '5511',
          isFromMe: false,
          group: null,
          newsletter: null,
          isStory: false,
          isHistorical: false,
          at: new Date(1_795_586_125_000),
          quotedMessageId: null,
          messageType: 'text',
          content: { text: 'hi', media: null, location: null, contacts: null, reaction: null, interactive: null },
        }) as const
      const poisoned = [
        driver.last.raise(message(`${POISON}.3`)),
        driver.last.raise({ type: 'incomingCall', externalCallId: `${POISON}.4`, from: '5511888777666', sdp: 'v=0' }),
      ]
      const fine = driver.last.raise(message('m.fine'))
      await until('all are acknowledged', () => [...poisoned, fine].every((seq) => driver.last.settled.includes(seq)))
      t.not(await stores.messages.find(numberId, 'm.fine'), null)
      t.deepEqual(
        (await mine()).map(({ line, reason }) => [line, reason]),
        [
          ['device-events', '23514'],
          ['device-events', '23514'],
        ],
      )

      await poison(false)
      t.is((await desk.retry({ ids: (await mine()).map(({ id }) => id), line: null, isAll: false })).done.length, 2)
      await until('the message came in', async () => {
        await directory.receive(numberId)
        return stores.messages.find(numberId, `${POISON}.3`)
      })
    } finally {
      await poison(false).catch(() => {})
      await directory.stop()
    }
  },
)

/** Values that no version wrote, or that only a removed version could read. */
const UNREADABLE = ['{cut off', 'null', '{"mode":"unknown"}', '{"mode":"carousel"}', '{"mode":"template"}']

test.serial(
  'a send whose row cannot be read ends as failed, is set aside, and what stands behind it is sent',
  async (t) => {
    const world = worlds()
    const { stores } = world
    const owned = await ownedNumber(world)
    const numberId = owned.number.id
    const bad = []
    for (const [at, outgoing] of UNREADABLE.entries()) {
      const { id } = await accepted(world, owned, { to: direct(`491510000000${at}`) })
      await database().query('update messages set outgoing = $1 where id = $2', [outgoing, id])
      bad.push(id)
    }
    const behind = []
    for (const at of UNREADABLE.keys())
      behind.push((await accepted(world, owned, { to: direct(`491510000000${at}`) })).id)
    await world.leases().release(owned.fence)
    const { driver, directory } = storedNode(database(), world, 'UNOFFICIAL', { clock: hasty })
    try {
      await directory.askNumber(numberId, 'Pair', { waitMs: 0 })
      await until(
        'what stands behind is sent',
        () => driver.sessions.length > 0 && driver.last.sent.length === behind.length,
      )
      t.deepEqual(driver.last.sent.map(({ messageId }) => messageId).toSorted(), behind.toSorted())
      for (const id of bad)
        t.like(await stores.messages.find(numberId, id), { status: 'FAILED', errorCode: 'INTERNAL_ERROR' })
      const desk = setAsideDesk({ ...stores, enqueue: null })
      await until(
        'the operator is told',
        async () => (await desk.list()).filter((item) => item.numberId === numberId).length === bad.length,
      )
      const items = (await desk.list()).filter((item) => item.numberId === numberId)
      t.deepEqual(
        items.map(({ line, item, reason }) => [line, item, reason]),
        bad.map((id) => ['sends', id, 'UNREADABLE']),
      )
    } finally {
      await directory.stop()
    }
  },
)

test.serial('a call that can never be closed is set aside as its number starts, which then works', async (t) => {
  const world = worlds()
  const { stores } = world
  const owned = await ownedNumber(world)
  const numberId = owned.number.id
  const stuck = newCall(owned)
  await stores.calls.insert(owned.fence, stuck, [])
  const scribbled = newCall(owned)
  await stores.calls.insert(owned.fence, scribbled, [])
  await database().query("update calls set playback = '{cut off' where id = $1", [scribbled.id])
  await database().query(`update calls set external_call_id = '${POISON}.5' where id = $1`, [stuck.id])
  await world.leases().release(owned.fence)
  await poison(true)
  const desk = setAsideDesk({ ...stores, enqueue: null })
  const mine = async () => (await desk.list()).filter((item) => item.numberId === numberId)
  const start = (name: string) => storedNode(database(), world, 'UNOFFICIAL', { clock: hasty, name })
  const one = start('one')
  try {
    await one.directory.askNumber(numberId, 'Pair', { waitMs: 0 })
    await until('the session is open', () => one.driver.sessions.length > 0)
    t.deepEqual(
      (await mine()).map(({ line, item, reason }) => [line, item, reason]),
      [['live-calls', stuck.id, '23514']],
    )
    t.like(await stores.calls.find(numberId, scribbled.id), { status: 'FAILED', errorCode: 'NODE_LOST', playback: [] })
    t.deepEqual(await stores.calls.listLive(numberId), [])
    await one.directory.stop()

    await poison(false)
    t.is((await desk.retry({ ids: (await mine()).map(({ id }) => id), line: null, isAll: false })).done.length, 1)
    t.deepEqual(
      (await stores.calls.listLive(numberId)).map(({ id }) => id),
      [stuck.id],
    )
    const two = start('two')
    await two.directory.askNumber(numberId, 'Pair', { waitMs: 0 })
    await until('it is closed', async () => (await stores.calls.find(numberId, stuck.id))?.status === 'FAILED')
    await two.directory.stop()
  } finally {
    await poison(false).catch(() => {})
    await one.directory.stop()
  }
})

test.serial('a call that is set aside is dropped with its row, which would be found live again', async (t) => {
  const world = worlds()
  const { stores } = world
  const owned = await ownedNumber(world)
  const call = newCall(owned)
  await stores.calls.insert(owned.fence, call, [])
  await stores.setAside.note(
    {
      line: 'live-calls',
      item: call.id,
      tenantId: owned.tenantId,
      numberId: owned.number.id,
      accountId: null,
      reason: '23514',
      tries: 4,
    },
    '{}',
  )
  const desk = setAsideDesk({ ...stores, enqueue: null })
  t.is((await desk.drop({ ids: [], line: 'live-calls', isAll: false })).done.length, 1)
  t.is(await stores.calls.find(owned.number.id, call.id), null)
})
