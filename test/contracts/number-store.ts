import type { TestFn } from 'ava'
import { newId, type NumberId } from '../../src/domain/ids.ts'
import type { VoiceWithHeaders } from '../../src/domain/number-voice.ts'
import { type ChannelNumber, DEFAULT_SETTINGS } from '../../src/domain/number.ts'
import { callEvent, eventNames, newCall, newNumber, ownedNumber, storedEvents, type MakeWorld } from './world.ts'

/** What every NumberStore does. */
export function numberStoreSuite(test: TestFn, name: string, makeWorld: MakeWorld): void {
  test(`${name}: numbers are listed in pieces, oldest first, each once and of one tenant, and counted`, async (t) => {
    const world = makeWorld()
    const { tenantId, number: first } = await ownedNumber(world)
    const { numbers } = world.stores
    const made = [first.id]
    // Two numbers each share a creation time.
    for (let n = 0; n < 6; n++) {
      if (n % 2 === 0) world.clock.advance(1_000)
      const created = await numbers.create({ ...first, id: newId('num'), number: String(4917000000000 + n) })
      if (created.ok) made.push(created.value.number.id)
    }
    const pieces: string[][] = []
    for (let after: ChannelNumber | null = null; ;) {
      const piece: ChannelNumber[] = await numbers.listSome(tenantId, null, { limit: 2, after })
      after = piece.at(-1) ?? null
      if (after === null) break
      pieces.push(piece.map(({ id }) => id))
    }
    t.deepEqual(
      pieces.flat(),
      (await numbers.list(tenantId)).map(({ id }) => id),
    )
    t.deepEqual(
      pieces.map(({ length }) => length),
      [2, 2, 2, 1],
    )
    t.deepEqual(new Set(pieces.flat()), new Set<string>(made))
    t.deepEqual(
      (await numbers.listSome(tenantId, null, { limit: 2, offset: 3 })).map(({ id }) => id),
      pieces.flat().slice(3, 5),
    )
    t.deepEqual(
      (await numbers.listSome(tenantId, made.slice(0, 2), { limit: 9, after: null })).map(({ id }) => id),
      made.slice(0, 2),
    )
    t.is(await numbers.count(tenantId, null), 7)
    t.is(await numbers.count(tenantId, made.slice(0, 2)), 2)
  })

  // [numbers.events.1] [rest.ids.1] [events.data.8]
  test(`${name}: a new number comes with its default key and number.created`, async (t) => {
    const world = makeWorld(Date.UTC(2026, 0, 1, 0, 0, 0, 7))
    const { tenantId } = await world.stores.tenants.create('Acme')
    const wanted = newNumber(tenantId, {
      piiMode: 'STORE_X_DAYS',
      piiRetentionDays: 30,
      settings: { ...DEFAULT_SETTINGS, rejectCall: true, msgRejectCall: 'später "x"' },
    })
    const made = await world.stores.numbers.create(wanted)
    if (!made.ok) return t.fail(made.error.message)
    const read = await world.stores.numbers.find(tenantId, wanted.id)
    t.deepEqual(read, made.value.number)
    t.like(read, {
      ...wanted,
      state: 'CLOSE',
      isFullyConnected: false,
      isPaired: false,
      createdAt: new Date(world.clock.now()),
    })
    t.deepEqual(await world.stores.numbers.load(wanted.id), read)
    t.deepEqual(await world.stores.numbers.findByDigits(tenantId, wanted.number), read)
    t.like(await world.stores.keys.authenticateKey(made.value.key.raw), {
      tenantId,
      id: made.value.key.id,
      reach: { at: 'number', number: { id: wanted.id, tenantId, provider: wanted.provider, number: wanted.number } },
    })
    const events = await storedEvents(world.stores.events, { tenantId, numberId: wanted.id })
    t.is(events.length, 1)
    t.like(events[0], {
      event: 'number.created',
      tenantId,
      numberId: wanted.id,
      createdAt: new Date(world.clock.now()),
    })
    t.deepEqual(events[0]?.data, {
      numberId: wanted.id,
      number: `+${wanted.number}`,
      name: wanted.name,
      state: 'CLOSE',
      createdAt: '2026-01-01T00:00:00.007Z',
    })
    t.regex(events[0]?.id ?? '', /^evt_[0-9a-z]{26}$/)
  })

  test(`${name}: one number twice in a tenant is refused, also at once; another tenant may have it`, async (t) => {
    const world = makeWorld()
    const [one, two] = [await world.stores.tenants.create('One'), await world.stores.tenants.create('Two')]
    const wanted = newNumber(one.tenantId)
    const results = await Promise.all(
      [1, 2, 3, 4].map(() => world.stores.numbers.create({ ...wanted, id: newId('num') })),
    )
    t.is(results.filter(({ ok }) => ok).length, 1)
    t.true(results.every((result) => result.ok || result.error.code === 'NUMBER_ALREADY_EXISTS'))
    t.true((await world.stores.numbers.create({ ...wanted, id: newId('num'), tenantId: two.tenantId })).ok)
    t.is((await world.stores.numbers.list(one.tenantId)).length, 1)
    t.is((await world.stores.keys.list(one.tenantId)).length, 1)
    t.is((await storedEvents(world.stores.events, { tenantId: one.tenantId, numberId: null })).length, 1)
  })

  test(`${name}: the plan's limit holds against creations at once`, async (t) => {
    const world = makeWorld()
    const { tenantId } = await world.stores.tenants.create('Limited')
    t.deepEqual(await world.stores.numbers.usage(tenantId), { plan: 'unlimited', maxNumbers: null, usedNumbers: 0 })
    await world.setTenant(tenantId, { maxNumbers: 2 })
    const results = await Promise.all([1, 2, 3, 4, 5].map(() => world.stores.numbers.create(newNumber(tenantId))))
    t.deepEqual(results.map((result) => (result.ok ? 'made' : result.error.code)).toSorted(), [
      'NUMBER_LIMIT_EXCEEDED',
      'NUMBER_LIMIT_EXCEEDED',
      'NUMBER_LIMIT_EXCEEDED',
      'made',
      'made',
    ])
    t.deepEqual(await world.stores.numbers.usage(tenantId), { plan: 'unlimited', maxNumbers: 2, usedNumbers: 2 })
  })

  test(`${name}: no read and no write reaches another tenant's number`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const stranger = await ownedNumber(world)
    const { numbers, keys, pairing, events } = world.stores
    t.is(await numbers.find(stranger.tenantId, owned.number.id), null)
    t.is(await numbers.findByDigits(stranger.tenantId, owned.number.number), null)
    t.is(await numbers.patch(stranger.tenantId, owned.number.id, { name: 'mine now' }), null)
    t.false(await numbers.remove(stranger.tenantId, owned.number.id))
    t.is(await keys.rotateNumberKey(stranger.tenantId, owned.number.id), null)
    await t.throwsAsync(
      pairing.issue({
        tenantId: stranger.tenantId,
        numberId: owned.number.id,
        branding: null,
        redirectUrl: null,
        expiresAt: new Date(world.clock.now() + 1000),
      }),
    )
    t.deepEqual(await storedEvents(events, { tenantId: stranger.tenantId, numberId: owned.number.id }), [])
    t.deepEqual(
      (await numbers.list(stranger.tenantId)).map(({ id }) => id),
      [stranger.number.id],
    )
    t.deepEqual(
      (await numbers.listSome(stranger.tenantId, null, { limit: 9, after: null })).map(({ id }) => id),
      [stranger.number.id],
    )
    t.is(await numbers.count(stranger.tenantId, [owned.number.id]), 0)
    t.deepEqual(
      (await keys.list(stranger.tenantId)).map(({ numberId }) => numberId),
      [stranger.number.id],
    )
    t.deepEqual(
      (await storedEvents(events, { tenantId: stranger.tenantId, numberId: null })).map(({ numberId }) => numberId),
      [stranger.number.id],
    )
    t.deepEqual(await numbers.find(owned.tenantId, owned.number.id), owned.number)
    t.truthy(await keys.authenticateKey(owned.key.raw))
    const lease = await world.leases().renew()
    t.true(lease.kept.includes(owned.number.id))
  })

  test(`${name}: malformed ids find nothing and cause no error`, async (t) => {
    const world = makeWorld()
    const { tenantId, number } = await ownedNumber(world)
    for (const text of ['num_\0', 'num_\ud800', `' or '1'='1`, `\\' or 1=1 --`, '?', '$1', '']) {
      t.is(await world.stores.numbers.find(tenantId, text as NumberId), null)
      t.is(await world.stores.numbers.findByDigits(tenantId, text), null)
      t.is(await world.stores.numbers.patch(tenantId, text as NumberId, { name: 'x' }), null)
      t.is(await world.stores.calls.find(number.id, text), null)
      t.is(await world.stores.pairing.find(text), null)
      t.is(await world.stores.keys.rotateNumberKey(tenantId, text as NumberId), null)
      t.false(await world.stores.numbers.remove(tenantId, text as NumberId))
    }
    const quoted = await world.stores.numbers.patch(tenantId, number.id, { name: `O'Hara \\ "x" ? $1 \0` })
    t.is(quoted?.name, `O'Hara \\ "x" ? $1 \uFFFD`)
  })

  // [voice.number-setting.1]
  test(`${name}: the bot server of a number is replaced as a whole, and its headers are told to none but who dials`, async (t) => {
    const world = makeWorld()
    const { tenantId, number } = await ownedNumber(world)
    const { numbers } = world.stores
    const voice: VoiceWithHeaders = {
      connectTo: 'wss://bot.example/',
      headers: { authorization: 'Bearer secret' },
      dialect: 'twilio',
      rate: null,
      parameters: { line: '2' },
      answer: 'accept',
      onUnreachable: 'reject',
      onDisconnect: 'hangup',
      record: false,
    }
    t.deepEqual([number.voice ?? null, await numbers.voiceOf(number.id)], [null, null])
    const { headers: _, ...shown } = voice
    const patched = await numbers.patch(tenantId, number.id, { voice })
    t.deepEqual(patched?.voice, { ...shown, headerNames: ['authorization'] })
    t.deepEqual((await numbers.find(tenantId, number.id))?.voice, patched?.voice)
    t.deepEqual(await numbers.voiceOf(number.id), voice)
    await numbers.patch(tenantId, number.id, { name: 'Other' })
    t.deepEqual(await numbers.voiceOf(number.id), voice)
    await numbers.patch(tenantId, number.id, { voice: { ...voice, headers: {}, rate: 8_000 } })
    t.deepEqual(await numbers.voiceOf(number.id), { ...voice, headers: {}, rate: 8_000 })
    await numbers.patch(tenantId, number.id, { voice: { ...voice, record: true } })
    t.true((await numbers.voiceOf(number.id))?.record)
    await numbers.patch(tenantId, number.id, { piiMode: 'RELAY_ONLY', piiRetentionDays: null })
    t.false((await numbers.voiceOf(number.id))?.record)
    t.is((await numbers.patch(tenantId, number.id, { voice: null }))?.voice, null)
    t.is(await numbers.voiceOf(number.id), null)
    t.is(await numbers.voiceOf('num_none'), null)
  })

  test(`${name}: a patch changes what it names and nothing else`, async (t) => {
    const world = makeWorld()
    const { tenantId, number } = await ownedNumber(world)
    world.clock.advance(5)
    const settings = { ...number.settings, alwaysOnline: false }
    const patched = await world.stores.numbers.patch(tenantId, number.id, { name: 'New', settings })
    t.deepEqual(patched, { ...number, name: 'New', settings, updatedAt: new Date(world.clock.now()) })
    t.deepEqual(
      await world.stores.numbers.patch(tenantId, number.id, { piiMode: 'STORE_X_DAYS', piiRetentionDays: 3 }),
      { ...patched, piiMode: 'STORE_X_DAYS', piiRetentionDays: 3 } as typeof patched,
    )
    const back = await world.stores.numbers.patch(tenantId, number.id, {
      piiMode: 'RELAY_ONLY',
      piiRetentionDays: null,
    })
    t.is(back?.piiRetentionDays, null)
    t.deepEqual(await world.stores.numbers.find(tenantId, number.id), back)
  })

  test(`${name}: a connection change stores state, credentials and events at once`, async (t) => {
    const world = makeWorld()
    const { tenantId, number, fence } = await ownedNumber(world)
    const result = await world.stores.numbers.saveConnection(
      fence,
      { state: 'OPEN', isFullyConnected: true, credentials: 'noise-key-material', ackedSeq: 4 },
      [callEvent('number.connected')],
    )
    t.is(result, 'applied')
    t.like(await world.stores.numbers.load(number.id), { state: 'OPEN', isFullyConnected: true, isPaired: true })
    t.deepEqual(await world.stores.numbers.credentials(number.id), { credentials: 'noise-key-material', ackedSeq: 4 })
    t.deepEqual(await eventNames(world, tenantId, number.id), ['number.connected'])
  })

  test(`${name}: the obstacle of a pairing is kept until it changes`, async (t) => {
    const world = makeWorld()
    const { tenantId, number, fence } = await ownedNumber(world)
    t.is(number.pairingReason, null)
    await world.stores.numbers.saveConnection(fence, { state: 'CONNECTING', pairingReason: 'PASSKEY_REQUIRED' }, [])
    await world.stores.numbers.saveConnection(fence, { credentials: 'noise-key-material' }, [])
    t.like(await world.stores.numbers.find(tenantId, number.id), {
      state: 'CONNECTING',
      pairingReason: 'PASSKEY_REQUIRED',
    })
    await world.stores.numbers.saveConnection(fence, { state: 'OPEN', pairingReason: null }, [])
    t.is((await world.stores.numbers.load(number.id))?.pairingReason, null)
  })

  test(`${name}: what an engine reports about itself and about the number is kept until it reports something else`, async (t) => {
    const world = makeWorld()
    const { tenantId, number, fence } = await ownedNumber(world)
    const { numbers } = world.stores
    t.deepEqual([number.engine ?? null, number.sessionHealth ?? null], [null, null])
    const engine = {
      name: 'paper "2"',
      version: null,
      capabilities: ['text', 'callAudio'],
      callMedia: ['pcm16'],
    } as const
    const sessionHealth = { level: 'restricted', code: '463', text: 'Nobody new can be written to' } as const
    await numbers.saveConnection(fence, { engine }, [])
    await numbers.saveConnection(fence, { sessionHealth }, [])
    t.like(await numbers.find(tenantId, number.id), { engine, sessionHealth, state: 'CLOSE' })
    t.like((await numbers.list(tenantId))[0], { engine, sessionHealth })
    t.like(await numbers.patch(tenantId, number.id, { name: 'Other' }), { engine, sessionHealth })
    t.is(
      await numbers.saveConnection(
        fence,
        { engine: { ...engine, name: 'a\0b\ud800' }, sessionHealth: { ...sessionHealth, text: '\0' } },
        [],
      ),
      'applied',
    )
    await numbers.saveConnection(fence, { engine: null, sessionHealth: null }, [])
    const last = await numbers.load(number.id)
    t.deepEqual([last?.engine ?? null, last?.sessionHealth ?? null], [null, null])
  })

  test(`${name}: number.connected is told by the write that connects a number, not by one that finds it connected`, async (t) => {
    const world = makeWorld()
    const { tenantId, number, fence } = await ownedNumber(world)
    const save = (state: 'OPEN' | 'CLOSE', event: 'number.connected' | 'number.disconnected') =>
      world.stores.numbers.saveConnection(fence, { state }, [callEvent(event)])
    t.is(await save('OPEN', 'number.connected'), 'applied')
    t.is(await save('OPEN', 'number.connected'), 'applied')
    t.deepEqual(await eventNames(world, tenantId, number.id), ['number.connected'])
    await save('CLOSE', 'number.disconnected')
    await save('OPEN', 'number.connected')
    t.deepEqual(await eventNames(world, tenantId, number.id), [
      'number.connected',
      'number.disconnected',
      'number.connected',
    ])
  })

  test(`${name}: the acknowledged sequence never goes back, and wiping credentials unpairs`, async (t) => {
    const world = makeWorld()
    const { number, fence } = await ownedNumber(world)
    await world.stores.numbers.saveConnection(fence, { credentials: 'x', ackedSeq: 9 }, [])
    await world.stores.numbers.saveConnection(fence, { ackedSeq: 3 }, [])
    t.deepEqual(await world.stores.numbers.credentials(number.id), { credentials: 'x', ackedSeq: 9 })
    await world.stores.numbers.saveConnection(fence, { credentials: null, state: 'CLOSE' }, [])
    t.deepEqual(await world.stores.numbers.credentials(number.id), { credentials: null, ackedSeq: 9 })
    t.like(await world.stores.numbers.load(number.id), { isPaired: false, state: 'CLOSE' })
  })

  // [numbers.events.1]
  test(`${name}: a removed number takes key, links and calls along, fences its owner and leaves number.removed`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const { numbers, keys, pairing, calls, events } = world.stores
    const token = await pairing.issue({
      tenantId: owned.tenantId,
      numberId: owned.number.id,
      branding: null,
      redirectUrl: null,
      expiresAt: new Date(world.clock.now() + 60_000),
    })
    const call = newCall(owned)
    await calls.insert(owned.fence, call, [])
    t.true(await numbers.remove(owned.tenantId, owned.number.id))
    t.false(await numbers.remove(owned.tenantId, owned.number.id))
    t.is(await numbers.load(owned.number.id), null)
    t.is(await keys.authenticateKey(owned.key.raw), null)
    t.is(await pairing.find(token), null)
    t.is(await calls.find(owned.number.id, call.id), null)
    t.is(await calls.insert(owned.fence, newCall(owned), []), 'fenced')
    t.is(await world.leases().acquire(owned.number.id), null)
    const told = await storedEvents(events, { tenantId: owned.tenantId, numberId: owned.number.id })
    t.deepEqual(
      told.map(({ event }) => event),
      ['number.created', 'number.removed'],
    )
    t.like(told[1]?.data, { numberId: owned.number.id, number: `+${owned.number.number}`, state: 'CLOSE' })
  })
}
