import test from 'ava'
import { LocalAsks } from '../../src/cluster/asks-local.ts'
import { createDirectory } from '../../actors/hosting/directory.ts'
import { RowPlacement } from '../../src/cluster/placement-rows.ts'
import type { NumberId } from '../../src/domain/ids.ts'
import { systemClock } from '../../src/process/clock.ts'
import { readCallEvents } from '../../src/providers/official/inbound/call-events.ts'
import { newOfficial, newTenant, officialNumber } from '../contracts/official-store.ts'
import { storedEvents } from '../contracts/world.ts'
import type { World } from '../contracts/world.ts'
import { openTestPglite, sharedDatabase } from '../helpers/database.ts'
import { noMetrics, silentLog } from '../helpers/silent.ts'
import { until } from '../helpers/until.ts'
import { worldsOver } from '../contracts/sql-worlds.ts'
import { answer, IN, offer, OUT, permission, status, terminated } from './official-rig.ts'
import { registryOf, ScriptedDriver, ScriptedFiles, ScriptedMedia } from './scripted-ports.ts'

const database = sharedDatabase(test, openTestPglite)
const worlds = worldsOver(database)

/** A node over the real database. Only the provider is scripted. */
function nodeOver({ stores, leases }: World, name: string) {
  const driver = new ScriptedDriver('OFFICIAL')
  driver.onOpen = (session) => {
    session.offerAnswer = () => ({ ok: true, value: { externalCallId: OUT } })
    queueMicrotask(() => session.raise({ type: 'state', state: 'OPEN', reason: null }))
  }
  const held = leases(name)
  const directory = createDirectory({
    stores: { ...stores, sendQueue: stores.queue, messageInbox: stores.inbox },
    inbound: stores.inbound,
    readCallEvents,
    readMessageEvents: () => [],
    files: new ScriptedFiles(),
    wantsStories: async () => false,
    templateRefused: () => {},
    mediaKnown: () => {},
    peerTyping: () => {},
    conversationOf: () => 'conv_1',
    leases: held,
    placement: new RowPlacement({ database: database(), nodeId: held.nodeId, times: held.times, boot: held.nodeId }),
    asks: new LocalAsks(),
    errands: stores.errands,
    registry: registryOf(driver),
    media: new ScriptedMedia(),
    clock: systemClock,
    log: silentLog,
    metrics: noMetrics,
  })
  return { driver, directory }
}

test('over the real rows: an OFFICIAL number opens, its calls survive a restart, and its changes are worked off once', async (t) => {
  const world = worlds()
  const { stores } = world
  const tenantId = await newTenant(world)
  const wanted = newOfficial(tenantId)
  const { number } = await officialNumber(world, wanted)
  const numberId: NumberId = number.id
  const target = await stores.inbound.findTarget(numberId)
  if (!target) return t.fail()
  let keys = 0
  const accept = (...values: string[]) =>
    stores.inbound.accept(
      target,
      values.map((value) => {
        const field = value.includes('"messages"') ? 'messages' : 'calls'
        return {
          object: 'whatsapp_business_account',
          accountId: target.accountId,
          field,
          phoneId: wanted.credentials.phoneId,
          at: null,
          value,
          envelope: '{}',
          key: `k${++keys}`,
        }
      }),
    )
  const settledAll = () =>
    until('every change is worked off', async () => (await stores.inbound.pending(numberId, 0, 100)).length === 0)

  const first = nodeOver(world, 'one')
  const placed = await first.directory.askNumber(numberId, 'PlaceCall', {
    to: '5511999990001',
    bizOpaqueCallbackData: 'biz',
    sdp: 'our offer',
  })
  if (!placed.ok) return t.fail(placed.error.code)
  await accept(status('RINGING'), answer(), offer())
  await first.directory.receive(numberId)
  await settledAll()
  t.like(await stores.calls.find(numberId, OUT), { status: 'RINGING', sdpOffer: 'our offer', sdpAnswer: 'user answer' })
  await accept(status('ACCEPTED'), permission({ response: 'reject' }))
  await first.directory.stop()

  const second = nodeOver(world, 'one')
  await second.directory.start()
  await settledAll()
  const inbound = await stores.calls.find(numberId, IN)
  if (!inbound) return t.fail()
  t.like(await second.directory.askCall(numberId, inbound.id, 'PreAccept', { sdp: 'our answer' }), {
    ok: true,
    value: { status: 'RINGING' },
  })
  t.like(await second.directory.askCall(numberId, inbound.id, 'Accept', { sdp: null }), {
    ok: true,
    value: { status: 'ACCEPTED' },
  })
  await accept(terminated({ seconds: 42 }), terminated({ id: IN, isInbound: true, seconds: 7 }))
  await second.directory.receive(numberId)
  await settledAll()
  t.like(await stores.calls.find(numberId, OUT), { status: 'COMPLETED', durationSeconds: 42 })
  t.like(await stores.calls.find(numberId, IN), {
    status: 'COMPLETED',
    durationSeconds: 7,
    sdpOffer: 'user offer',
    sdpAnswer: 'our answer',
  })
  t.like(await stores.numbers.load(numberId), { state: 'OPEN', isFullyConnected: true })
  await second.directory.stop()
  const names = (await storedEvents(stores.events, { tenantId, numberId }))
    .map(({ event }) => event)
    .filter((name) => name.includes('.'))
  return t.deepEqual(names.toSorted(), [
    'call.connected',
    'call.connected',
    'call.ended',
    'call.ended',
    'call.permission_updated',
    'call.ringing',
    'number.connected',
    'number.created',
  ])
})
