import test from 'ava'
import { createDirectory } from '../../actors/hosting/directory.ts'
import { LocalAsks } from '../../src/cluster/asks-local.ts'
import { RowPlacement } from '../../src/cluster/placement-rows.ts'
import type { NumberId } from '../../src/domain/ids.ts'
import type { ProviderKind } from '../../src/domain/number.ts'
import { setAsideDesk } from '../../src/gateway/set-aside-desk.ts'
import { patientClock, systemClock } from '../../src/process/clock.ts'
import { readCallEvents } from '../../src/providers/official/inbound/call-events.ts'
import { readMessageEvents } from '../../src/providers/official/inbound/message-events.ts'
import { newOfficial, newTenant, officialNumber } from '../contracts/official-store.ts'
import { newNumber } from '../contracts/world.ts'
import type { World } from '../contracts/world.ts'
import { openTestDatabase, sharedDatabase } from '../helpers/database.ts'
import { noMetrics, silentLog } from '../helpers/silent.ts'
import { until } from '../helpers/until.ts'
import { worldsOver } from '../storage/suites.ts'
import { registryOf, ScriptedDriver, ScriptedFiles, ScriptedMedia } from './scripted-ports.ts'

const database = sharedDatabase(test, openTestDatabase)
const worlds = worldsOver(database)

/** A fault that no reader knows of: rows that say so cannot be stored, as long as it stands. */
const POISON = 'wamid.POISON'
const FAULTS = [
  ['messages', `external_id is null or external_id not like '${POISON}%'`],
  ['calls', `external_call_id is null or external_call_id not like '${POISON}%'`],
] as const

async function poison(isOn: boolean): Promise<void> {
  for (const [table, rule] of FAULTS) await database().query(isOn ? `alter table ${table} add constraint poisoned check (${rule}) not valid` : `alter table ${table} drop constraint poisoned`)
}

/** The real time, thirty times faster: what is tried for a while fails within a moment. */
const hasty = patientClock(systemClock, 1 / 30)

function nodeOver({ stores, leases }: World, kind: ProviderKind) {
  const driver = new ScriptedDriver(kind)
  driver.onOpen = (session) => queueMicrotask(() => session.raise({ type: 'state', state: 'OPEN', reason: null }))
  const held = leases('one')
  const directory = createDirectory({
    stores: { ...stores, sendQueue: stores.queue, messageInbox: stores.inbox },
    inbound: stores.inbound, readCallEvents, readMessageEvents, files: new ScriptedFiles(), wantsStories: async () => false, templateRefused: () => {}, mediaKnown: () => {}, conversationOf: () => 'conv_1',
    leases: held, placement: new RowPlacement({ database: database(), nodeId: held.nodeId, times: held.times, boot: held.nodeId }), asks: new LocalAsks(), errands: stores.errands, registry: registryOf(driver), media: new ScriptedMedia(), clock: hasty, log: silentLog, metrics: noMetrics,
  })
  return { driver, directory }
}

const METADATA = { display_phone_number: '15550783881', phone_number_id: '1001' }
const text = (id: string) => ({ metadata: METADATA, messages: [{ from: '5511888777666', id, timestamp: '1795586125', type: 'text', text: { body: id } }] })
const offer = (id: string) => ({ metadata: METADATA, calls: [{ from: '5511888777666', to: '15550783881', id, timestamp: '1795586125', event: 'connect', direction: 'USER_INITIATED', session: { sdp_type: 'offer', sdp: 'v=0' } }] })

/** One after another: the fault is the whole database's. */
test.serial('a change that cannot be stored is set aside, and 330 that follow it are shown', async (t) => {
  const world = worlds()
  const { stores } = world
  const wanted = newOfficial(await newTenant(world))
  const { number: { id: numberId } } = await officialNumber(world, wanted)
  const target = await stores.inbound.findTarget(numberId)
  if (!target) return t.fail()
  const post = (key: string, field: string, value: object) => stores.inbound.accept(target, [{ object: 'o', accountId: target.accountId, field, phoneId: wanted.credentials.phoneId, at: null, value: JSON.stringify(value), envelope: '', key }])
  await poison(true)
  const { directory } = nodeOver(world, 'OFFICIAL')
  const desk = setAsideDesk(stores.setAside)
  try {
    await post('m', 'messages', text(`${POISON}.1`))
    await post('c', 'calls', offer(`${POISON}.2`))
    await Promise.all(Array.from({ length: 330 }, (_, at) => post(`k${at}`, 'messages', text(`wamid.${at}`))))
    await post('last', 'calls', offer('wacid.fine'))
    await until('every change is worked off', async () => {
      await directory.receive(numberId)
      return (await stores.inbound.pending(numberId, 0, 1)).length === 0
    })
    for (const at of [0, 100, 329]) t.not(await stores.messages.find(numberId, `wamid.${at}`), null)
    t.not(await stores.calls.find(numberId, 'wacid.fine'), null)
    const items = (await desk.list()).filter((item) => item.numberId === numberId)
    t.deepEqual(items.map(({ line, reason }) => [line, reason]), [['changes', '23514'], ['changes', '23514']])
    t.false((await world.rawTable('set_aside')).includes(POISON))

    await poison(false)
    t.deepEqual(await desk.retry({ ids: items.map(({ id }) => id), line: null, isAll: false }), { done: items.map(({ id }) => id), final: [], unknown: [] })
    await directory.receive(numberId)
    await until('what was put back is worked off', async () => (await stores.inbound.pending(numberId, 0, 1)).length === 0)
    t.not(await stores.messages.find(numberId, `${POISON}.1`), null)
    t.not(await stores.calls.find(numberId, `${POISON}.2`), null)
    t.deepEqual((await desk.list()).filter((item) => item.numberId === numberId), [])
  } finally {
    await poison(false).catch(() => {})
    await directory.stop()
  }
})

test.serial('what an engine tells and cannot be stored is set aside and acknowledged, and comes in once it can be', async (t) => {
  const world = worlds()
  const { stores } = world
  const created = await stores.numbers.create(newNumber(await newTenant(world)))
  if (!created.ok) return t.fail(created.error.code)
  const numberId: NumberId = created.value.number.id
  const { driver, directory } = nodeOver(world, 'UNOFFICIAL')
  const desk = setAsideDesk(stores.setAside)
  const mine = async () => (await desk.list()).filter((item) => item.numberId === numberId)
  await directory.askNumber(numberId, 'Pair', { waitMs: 0 })
  await until('the session is open', () => driver.sessions.length > 0)
  await poison(true)
  try {
    const message = (externalMessageId: string) => ({
      type: 'messageReceived', externalMessageId, from: '5511888777666', fromName: null, to: '5511', isFromMe: false, group: null, newsletter: null, isStory: false, isHistorical: false,
      at: new Date(1_795_586_125_000), quotedMessageId: null, messageType: 'text', content: { text: 'hi', media: null, location: null, contacts: null, reaction: null, interactive: null },
    } as const)
    const poisoned = [driver.last.raise(message(`${POISON}.3`)), driver.last.raise({ type: 'incomingCall', externalCallId: `${POISON}.4`, from: '5511888777666', sdp: 'v=0' })]
    const fine = driver.last.raise(message('m.fine'))
    await until('all are acknowledged', () => [...poisoned, fine].every((seq) => driver.last.settled.includes(seq)))
    t.not(await stores.messages.find(numberId, 'm.fine'), null)
    t.deepEqual((await mine()).map(({ line, reason }) => [line, reason]), [['device-events', '23514'], ['device-events', '23514']])

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
})
