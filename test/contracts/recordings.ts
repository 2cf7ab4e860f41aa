import type { TestFn } from 'ava'
import { newId, newSecretId } from '../../src/domain/ids.ts'
import type { CallId } from '../../src/domain/ids.ts'
import { reportOf } from '../../src/domain/usage-report.ts'
import { callEvent, eventNames, newCall, ownedNumber, type MakeWorld, type Owned, type World } from './world.ts'

const DAY_MS = 24 * 3_600_000
/** Long before the other suites, so that no call of theirs is due. */
const START_MS = Date.UTC(2004, 0, 1)

/** Adds a recorded call that was answered, and ends it. */
async function endedCall(world: World, owned: Owned, recording: 'ASKED' | null = 'ASKED'): Promise<CallId> {
  const { calls } = world.stores
  const call = newCall(owned, { externalCallId: newId('evt'), status: 'ACCEPTED', recording })
  await calls.insert(owned.fence, call, [])
  const endedAt = new Date(world.clock.now())
  const patch = { endedAt, connectedAt: endedAt, durationSeconds: 0 }
  await calls.transition(owned.fence, { callId: call.id, from: ['ACCEPTED'], to: 'COMPLETED', patch, events: [] })
  return call.id
}

/** How every store keeps the recordings of calls. */
export function recordingSuite(test: TestFn, name: string, makeWorld: MakeWorld): void {
  const event = callEvent('call.recorded', { sizeBytes: 1 })

  async function open() {
    const world = makeWorld(START_MS)
    const owned = await ownedNumber(world)
    const { recordings, calls } = world.stores
    const takeDue = async (untilMs = 60_000) =>
      (await recordings.takeDue(1_000, world.clock.now() + untilMs)).filter((due) => due.numberId === owned.number.id)
    const stateOf = async (callId: CallId) => (await calls.find(owned.number.id, callId))?.recording
    const addFile = async () => {
      const id = newSecretId('file')
      await world.stores.files.add({
        id,
        tenantId: owned.tenantId,
        numberId: owned.number.id,
        path: id,
        mimeType: 'audio/ogg',
        sizeBytes: 1,
        fileName: null,
        createdAt: new Date(world.clock.now()),
        expiresAt: new Date(Date.UTC(2200, 0, 1)),
      })
      return id
    }
    return { world, owned, recordings, takeDue, stateOf, addFile }
  }

  test(`${name}: a recording is due once its call ended, taken by one at a time, and stored once with its event`, async (t) => {
    const { world, owned, recordings, takeDue, stateOf, addFile } = await open()
    const live = newCall(owned, { externalCallId: 'live', status: 'ACCEPTED', recording: 'ASKED' })
    await world.stores.calls.insert(owned.fence, live, [])
    await endedCall(world, owned, null)
    t.deepEqual(await takeDue(), [])
    const callId = await endedCall(world, owned)
    const endedAt = new Date(world.clock.now())
    const { tenantId } = owned
    const due = { callId, tenantId, numberId: owned.number.id, recording: 'ASKED' as const, endedAt }
    t.deepEqual(await takeDue(), [{ ...due, connectedAt: endedAt, piiMode: 'STORE_INDEFINITE' as const }])
    t.deepEqual(await recordings.awaited([callId, newId('call')]), new Set([callId]))
    t.deepEqual(await takeDue(), [])
    world.clock.advance(60_000)
    t.is((await takeDue()).length, 1)
    await recordings.defer(callId, world.clock.now() + 1_000)
    world.clock.advance(1_000)
    t.is((await takeDue()).length, 1)
    const fileId = await addFile()
    t.true(await recordings.store(callId, { fileId, sizeBytes: 7 }, event))
    t.false(await recordings.store(callId, { fileId, sizeBytes: 7 }, event))
    t.deepEqual(await eventNames(world, tenantId, owned.number.id), ['call.recorded'])
    // [usage.objects.4] [usage.exact.1]
    const used = await world.stores.usage.read(tenantId, { first: '2000-01-01', last: '2099-12-31', by: 'day' })
    t.deepEqual(reportOf(used, 'day').total.recordings, { count: 1, bytes: 7 })
    await recordings.defer(callId, 0)
    t.deepEqual(await takeDue(), [])
    t.deepEqual(await recordings.awaited([callId]), new Set())
    t.deepEqual([await stateOf(callId), await recordings.fileOf(owned.number.id, callId)], ['STORED', fileId])
    t.is(await recordings.fileOf((await ownedNumber(world)).number.id, callId), null)
    // One that is deleted before it came is due once more, so that its media host drops it.
    const early = await endedCall(world, owned)
    t.deepEqual(await recordings.remove(owned.number.id, early), { fileId: null })
    t.is(await recordings.remove(owned.number.id, early), 'none')
    t.false(await recordings.store(early, { fileId: await addFile(), sizeBytes: 7 }, event))
    t.deepEqual(
      (await takeDue()).map((one) => [one.callId, one.recording]),
      [[early, 'GONE']],
    )
    await recordings.settle(early)
    world.clock.advance(DAY_MS)
    t.deepEqual(await takeDue(), [])
    t.is(await stateOf(early), 'GONE')
  })

  test(`${name}: a stored recording is deleted once, by its own number alone, and one that never came is gone`, async (t) => {
    const { world, owned, recordings, stateOf, addFile } = await open()
    const [stored, missing] = [await endedCall(world, owned), await endedCall(world, owned)]
    const fileId = await addFile()
    await recordings.store(stored, { fileId, sizeBytes: 7 }, event)
    t.is(await recordings.remove((await ownedNumber(world)).number.id, stored), 'none')
    t.deepEqual(await recordings.remove(owned.number.id, stored), { fileId })
    t.is(await recordings.remove(owned.number.id, stored), 'none')
    await recordings.settle(missing)
    for (const callId of [stored, missing]) t.is(await stateOf(callId), 'GONE')
  })

  // [voice.recordings.5] [voice.recordings.12]
  test(`${name}: the privacy of the number ends its recordings, and so does its removal`, async (t) => {
    const { world, owned, recordings, stateOf, addFile } = await open()
    const { numbers, messages, files } = world.stores
    const old = await endedCall(world, owned)
    await recordings.store(old, { fileId: await addFile(), sizeBytes: 7 }, event)
    world.clock.advance(8 * DAY_MS)
    const fresh = await endedCall(world, owned)
    const freshFile = await addFile()
    await recordings.store(fresh, { fileId: freshFile, sizeBytes: 7 }, event)
    await numbers.patch(owned.tenantId, owned.number.id, { piiMode: 'STORE_X_DAYS', piiRetentionDays: 7 })
    await messages.purge()
    await files.takeExpired(1_000)
    t.deepEqual([await stateOf(old), await stateOf(fresh)], ['GONE', 'STORED'])
    t.is(await recordings.fileOf(owned.number.id, old), null)
    await numbers.remove(owned.tenantId, owned.number.id)
    t.is((await files.takeExpired(1_000)).filter(({ id }) => id === freshFile).length, 1)
  })
}
