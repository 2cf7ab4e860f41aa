import type { TestFn } from 'ava'
import { newId } from '../../src/domain/ids.ts'
import { callEvent, eventNames, newCall, ownedNumber, storedEvents, type MakeWorld } from './world.ts'

/** What every CallStore does. */
export function callStoreSuite(test: TestFn, name: string, makeWorld: MakeWorld): void {
  // [calls.object.2]
  test(`${name}: a stored call is read back as it was given, with millisecond times`, async (t) => {
    const world = makeWorld(Date.UTC(2026, 0, 1, 12, 0, 0, 123))
    const owned = await ownedNumber(world)
    const call = newCall(owned, {
      externalCallId: 'up-1',
      bizOpaqueCallbackData: 'order "7"',
      startedAt: new Date(world.clock.now()),
      sdpOffer: 'v=0\r\n',
      conversationId: 'conv_7',
    })
    t.is(await world.stores.calls.insert(owned.fence, call, []), 'applied')
    const read = await world.stores.calls.find(owned.number.id, call.id)
    t.deepEqual(read, {
      ...call,
      playback: [],
      mediaHost: null,
      connectedAt: null,
      endedAt: null,
      durationSeconds: null,
      errorCode: null,
      errorMessage: null,
      createdAt: new Date(world.clock.now()),
      updatedAt: new Date(world.clock.now()),
    })
    t.deepEqual(await world.stores.calls.find(owned.number.id, 'up-1'), read)
  })

  test(`${name}: a transition writes status, fields and events together`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const call = newCall(owned)
    await world.stores.calls.insert(owned.fence, call, [])
    const connectedAt = new Date(world.clock.now() + 5)
    const result = await world.stores.calls.transition(owned.fence, {
      callId: call.id,
      from: ['INITIATED', 'RINGING'],
      to: 'ACCEPTED',
      patch: { connectedAt, externalCallId: 'up-2' },
      events: [callEvent('call.ringing', { n: 1 }), callEvent('call.connected', { n: 2 })],
    })
    t.is(result, 'applied')
    const read = await world.stores.calls.find(owned.number.id, call.id)
    t.like(read, { status: 'ACCEPTED', connectedAt, externalCallId: 'up-2' })
    t.deepEqual(await eventNames(world, owned.tenantId, owned.number.id), ['call.ringing', 'call.connected'])
  })

  test(`${name}: of two final transitions at once one is applied, with one event`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    for (let round = 0; round < 10; round++) {
      const call = newCall(owned, { status: 'RINGING' })
      await world.stores.calls.insert(owned.fence, call, [])
      const results = await Promise.all(
        (['MISSED', 'REJECTED', 'FAILED'] as const).map((to) =>
          world.stores.calls.transition(owned.fence, {
            callId: call.id,
            from: ['INITIATED', 'RINGING'],
            to,
            patch: { endedAt: new Date(world.clock.now()) },
            events: [callEvent('call.ended', { callId: call.id, to })],
          }),
        ),
      )
      t.deepEqual(results.toSorted(), ['applied', 'conflict', 'conflict'])
      const events = await storedEvents(world.stores.events, { tenantId: owned.tenantId, numberId: owned.number.id })
      const told = events.filter(({ data }) => data['callId'] === call.id)
      const stored = await world.stores.calls.find(owned.number.id, call.id)
      t.deepEqual(
        told.map(({ data }) => data['to']),
        [stored?.status],
      )
    }
  })

  // [nodes.placement.5]
  test(`${name}: a writer whose number was taken over writes neither state nor event`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const call = newCall(owned)
    await world.stores.calls.insert(owned.fence, call, [])
    const stale = owned.fence
    const fresh = await world.leases().acquire(owned.number.id)
    t.true(fresh !== null && fresh.token > stale.token)
    const ended = {
      callId: call.id,
      from: ['INITIATED'],
      to: 'FAILED',
      patch: {},
      events: [callEvent('call.ended')],
    } as const
    t.is(await world.stores.calls.transition(stale, ended), 'fenced')
    t.is(await world.stores.calls.insert(stale, newCall(owned), [callEvent('call.ringing')]), 'fenced')
    t.is(await world.stores.calls.setExternalId(stale, call.id, 'late', null), 'fenced')
    t.is(await world.stores.calls.savePlayback(stale, call.id, []), 'fenced')
    t.is(await world.stores.calls.remove(stale, call.id), 'fenced')
    t.is(
      await world.stores.numbers.saveConnection(stale, { state: 'OPEN', credentials: 'stolen' }, [
        callEvent('number.connected'),
      ]),
      'fenced',
    )
    t.deepEqual(await eventNames(world, owned.tenantId, owned.number.id), [])
    t.like(await world.stores.numbers.load(owned.number.id), { state: 'CLOSE', isPaired: false })
    t.is((await world.stores.calls.find(owned.number.id, call.id))?.status, 'INITIATED')
    t.true(fresh !== null && (await world.stores.calls.transition(fresh, ended)) === 'applied')
  })

  test(`${name}: the second call with one provider id is a conflict and tells nothing`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const incoming = { direction: 'INBOUND', status: 'RINGING', externalCallId: 'same' } as const
    const results = await Promise.all(
      [1, 2, 3].map(() =>
        world.stores.calls.insert(owned.fence, newCall(owned, incoming), [callEvent('call.ringing')]),
      ),
    )
    t.deepEqual(results.toSorted(), ['applied', 'conflict', 'conflict'])
    t.deepEqual(await eventNames(world, owned.tenantId, owned.number.id), ['call.ringing'])
    const later = newCall(owned)
    await world.stores.calls.insert(owned.fence, later, [])
    t.is(await world.stores.calls.setExternalId(owned.fence, later.id, 'same', null), 'conflict')
    t.is(await world.stores.calls.setExternalId(owned.fence, later.id, 'other', 'host-1'), 'applied')
    t.like(await world.stores.calls.find(owned.number.id, later.id), { externalCallId: 'other', mediaHost: 'host-1' })
    const elsewhere = await ownedNumber(world)
    t.is(await world.stores.calls.insert(elsewhere.fence, newCall(elsewhere, incoming), []), 'applied')
  })

  test(`${name}: text a database cannot hold does not fail the write, and event data stays byte for byte`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const call = newCall(owned, { externalCallId: 'nul\0id', peerNumber: '49\ud800', sdpOffer: 'a\0b' })
    const data = { z: 1, a: 'nul \0 lone \ud83d end', peer: '"\\u0000"' }
    t.is(await world.stores.calls.insert(owned.fence, call, [callEvent('call.ringing', data)]), 'applied')
    const read = await world.stores.calls.find(owned.number.id, 'nul\0id')
    t.is(read?.id, call.id)
    t.is(read?.sdpOffer, 'a\uFFFDb')
    const events = await storedEvents(world.stores.events, { tenantId: owned.tenantId, numberId: owned.number.id })
    t.is(JSON.stringify(events.at(-1)?.data), JSON.stringify(data))
    const playback = [
      {
        id: newId('play'),
        mediaUrl: 'https://e.example/\0',
        hangupAfterPlay: true,
        status: 'FAILED',
        error: 'x\udc00',
      },
    ] as const
    t.is(await world.stores.calls.savePlayback(owned.fence, call.id, playback), 'applied')
    t.deepEqual((await world.stores.calls.find(owned.number.id, call.id))?.playback, playback)
  })

  test(`${name}: lists are newest first, bounded by limit and before, and never of another number`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const other = await ownedNumber(world)
    await world.stores.calls.insert(other.fence, newCall(other), [])
    const ids: string[] = []
    for (let i = 0; i < 4; i++) {
      const call = newCall(owned, { status: i === 1 ? 'COMPLETED' : 'RINGING' })
      ids.unshift(call.id)
      await world.stores.calls.insert(owned.fence, call, [])
      world.clock.advance(1)
    }
    const all = await world.stores.calls.list(owned.number.id, { limit: 10, before: null })
    t.deepEqual(
      all.map(({ id }) => id),
      ids,
    )
    const older = await world.stores.calls.list(owned.number.id, { limit: 2, before: all[0]?.createdAt ?? null })
    t.deepEqual(
      older.map(({ id }) => id),
      ids.slice(1, 3),
    )
    const live = await world.stores.calls.listLive(owned.number.id)
    t.deepEqual(
      live.map(({ id }) => id),
      [ids[3], ids[1], ids[0]],
    )
    t.is(await world.stores.calls.find(other.number.id, ids[0] ?? ''), null)
  })

  test(`${name}: a call the provider refused to start leaves no row`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const call = newCall(owned)
    await world.stores.calls.insert(owned.fence, call, [])
    t.is(await world.stores.calls.remove(owned.fence, call.id), 'applied')
    t.is(await world.stores.calls.find(owned.number.id, call.id), null)
    t.is(await world.stores.calls.remove(owned.fence, call.id), 'conflict')
  })

  test(`${name}: a call of another tenant's number is not written`, async (t) => {
    const world = makeWorld()
    const [owned, other] = [await ownedNumber(world), await ownedNumber(world)]
    t.is(await world.stores.calls.insert(owned.fence, newCall(owned, { tenantId: other.tenantId }), []), 'conflict')
    await t.throwsAsync(world.stores.calls.insert(owned.fence, newCall(other), []), { message: /another number/ })
    const call = newCall(other)
    await world.stores.calls.insert(other.fence, call, [])
    const move = {
      callId: call.id,
      from: ['INITIATED'],
      to: 'FAILED',
      patch: {},
      events: [callEvent('call.ended')],
    } as const
    t.is(await world.stores.calls.transition(owned.fence, move), 'conflict')
    t.is((await world.stores.calls.find(other.number.id, call.id))?.status, 'INITIATED')
  })
}
