import test from 'ava'
import { array, assert, asyncProperty, boolean, constantFrom, integer, record, shuffledSubarray } from 'fast-check'
import { isLive } from '../../../src/domain/call.ts'
import type { Call } from '../../../src/domain/call.ts'
import type { Outcome } from '../../../src/domain/errors.ts'
import type { NumberId } from '../../../src/domain/ids.ts'
import {
  addOfficial,
  answer,
  IN,
  offer,
  officialRig,
  placeOfficial,
  post,
  status,
  T0,
  terminated,
} from '../official-rig.ts'
import type { Rig } from '../rig.ts'
import { createRig, pass, rowOf, settled } from '../rig.ts'

const END_EVENTS: readonly string[] = ['call.ended', 'call.missed']

/**
 * Checks what must hold for any call in the end: one final state, each event once, every change settled, nothing left.
 */
function audit(rig: Rig, numberId: NumberId, row: Call): string[] {
  const names = rig.rows.eventNames(row.id)
  if (isLive(row.status)) throw new Error(`still ${row.status}`)
  if (names.filter((name) => END_EVENTS.includes(name)).length !== 1)
    throw new Error(`terminal events: ${names.join()}`)
  if (new Set(names).size !== names.length) throw new Error(`an event came twice: ${names.join()}`)
  if (!END_EVENTS.includes(names.at(-1) ?? '')) throw new Error(`the end is not last: ${names.join()}`)
  if ((rig.rows.changes.get(numberId) ?? []).length > 0) throw new Error('a change was not settled')
  if (rig.directory.stats().calls !== 0) throw new Error('the actor is still there')
  const wasAnswered = names.includes('call.connected')
  if (wasAnswered !== (row.durationSeconds !== null) || wasAnswered !== (row.connectedAt !== null))
    throw new Error('answer and times disagree')
  return names
}

/** Posts changes in groups. The number works off the changes of one group concurrently. */
async function postGroups(
  rig: Rig,
  numberId: NumberId,
  values: readonly string[],
  sizes: readonly number[],
): Promise<void> {
  const left = [...values]
  for (let i = 0; left.length > 0; i++) await post(rig, numberId, ...left.splice(0, sizes[i % sizes.length] ?? 1))
}

const sizes = array(integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 4 })

/** Arbitrary orders of distinct changes, some of which repeat anywhere in the order. */
function orders(values: readonly string[]) {
  return shuffledSubarray([...values, ...values], { minLength: values.length * 2, maxLength: values.length * 2 })
}

test("an answered outbound call is COMPLETED with upstream's times, in every order of what is told, some of it twice", async (t) => {
  await assert(
    asyncProperty(
      orders([status('RINGING'), answer(), status('ACCEPTED'), terminated({ seconds: 42 })]),
      sizes,
      async (values, groups) => {
        const rig = officialRig()
        const numberId = addOfficial(rig.rows)
        const { id } = await placeOfficial(rig, numberId)
        await postGroups(rig, numberId, values, groups)
        const row = rowOf(rig, id)
        t.deepEqual(audit(rig, numberId, row), ['call.connected', 'call.ended'])
        t.like(row, {
          status: 'COMPLETED',
          durationSeconds: 42,
          connectedAt: new Date((T0 + 18) * 1000),
          endedAt: new Date((T0 + 60) * 1000),
          bizOpaqueCallbackData: 'biz',
        })
        if (rig.media.told.length > 0) throw new Error('the media host was told')
      },
    ),
    { numRuns: 150 },
  )
})

test('an outbound call nobody answers is MISSED, one declined REJECTED, in every order up to its end', async (t) => {
  const told = [status('RINGING'), answer()]
  const ends = constantFrom(
    { value: terminated(), status: 'MISSED' },
    { value: status('REJECTED'), status: 'REJECTED' },
  )
  await assert(
    asyncProperty(orders(told), ends, integer({ min: 0, max: 4 }), sizes, async (values, end, at, groups) => {
      const rig = officialRig()
      const numberId = addOfficial(rig.rows)
      const { id } = await placeOfficial(rig, numberId)
      // ACCEPTED comes after the end, and REJECTED comes before its terminate.
      await postGroups(
        rig,
        numberId,
        [...values.slice(0, at), end.value, terminated(), ...values.slice(at), status('ACCEPTED'), end.value],
        groups,
      )
      const row = rowOf(rig, id)
      t.deepEqual(audit(rig, numberId, row), ['call.ended'])
      t.is(row.status, end.status)
    }),
    { numRuns: 100 },
  )
})

const ACTS = ['accept', 'preAccept', 'reject', 'end', 'again', 'let run', 'restart'] as const

interface World {
  rig: Rig
  readonly numberId: NumberId
  readonly asks: Promise<Outcome<unknown>>[]
  /** The rigs before a restart, which asks may still wait in. */
  readonly former: Rig[]
}

async function act(world: World, what: (typeof ACTS)[number], end: string): Promise<void> {
  const { rig, numberId, asks } = world
  const row = [...rig.rows.calls.values()].find(({ externalCallId }) => externalCallId === IN)
  switch (what) {
    case 'accept':
      return row && void asks.push(rig.directory.askCall(numberId, row.id, 'Accept', { sdp: 'a' }))
    case 'preAccept':
      return row && void asks.push(rig.directory.askCall(numberId, row.id, 'PreAccept', { sdp: 'a' }))
    case 'reject':
      return row && void asks.push(rig.directory.askCall(numberId, row.id, 'Reject', {}))
    case 'end':
    case 'again':
      rig.rows.addChange(numberId, 'calls', what === 'end' ? end : offer())
      return await rig.directory.receive(numberId)
    case 'let run':
      return await settled(8)
    case 'restart':
      await rig.directory.stop()
      world.former.push(rig)
      world.rig = officialRig({ rows: rig.rows })
  }
}

test('an inbound call has one truthful end whatever the order of offer, commands, end, repetitions and restarts', async (t) => {
  const ends = record({ isAnswered: boolean(), isFirst: boolean() })
  await assert(
    asyncProperty(shuffledSubarray([...ACTS, ...ACTS, ...ACTS]), ends, async (acts, { isAnswered, isFirst }) => {
      const rig = officialRig()
      const world: World = { rig, numberId: addOfficial(rig.rows), asks: [], former: [] }
      const end = terminated({ id: IN, isInbound: true, ...(isAnswered ? { seconds: 9 } : {}) })
      if (isFirst) await post(rig, world.numberId, end)
      await post(rig, world.numberId, offer())
      for (const what of acts) await act(world, what, end)
      await settled()
      await post(world.rig, world.numberId, end)
      await pass(world.rig, 6_000)
      for (const former of world.former) await pass(former, 12_000)
      const answers = await Promise.all(world.asks)
      if (answers.some((answered) => !answered.ok && answered.error.code === 'TIMEOUT'))
        throw new Error('an ask was left waiting')
      if (world.rig.rows.calls.size !== 1) throw new Error(`${world.rig.rows.calls.size} rows`)
      const [row] = world.rig.rows.calls.values()
      if (!row) throw new Error('no row')
      const names = audit(world.rig, world.numberId, row)
      if (names[0] !== 'call.ringing') throw new Error(`rang late: ${names.join()}`)
      const wasAccepted = answers.some(
        (answered) => answered.ok && (answered.value as { status: string }).status === 'ACCEPTED',
      )
      if (wasAccepted && row.status !== 'COMPLETED') throw new Error(`accepted, then ${row.status}`)
      await world.rig.directory.stop()
    }),
    { numRuns: 200 },
  )
  t.pass()
})

test('changes that are unsettled at a restart are worked off by the next owner, and no event is stored twice', async (t) => {
  const values = [status('RINGING'), answer(), status('ACCEPTED'), terminated({ seconds: 42 })]
  await assert(
    asyncProperty(integer({ min: 0, max: 40 }), boolean(), async (turns, isGraceful) => {
      const first = officialRig()
      const numberId = addOfficial(first.rows)
      const { id } = await placeOfficial(first, numberId)
      for (const value of values) first.rows.addChange(numberId, 'calls', value)
      void first.directory.receive(numberId)
      await settled(turns)
      if (isGraceful) await first.directory.stop()
      // The node died: the lease no longer carries its token, so its late writes change nothing.
      else first.rows.leases.set(numberId, { owner: 'node_dead', token: -7 })
      const second = createRig({ rows: first.rows, kind: 'OFFICIAL' })
      second.driver.onOpen = (session) =>
        queueMicrotask(() => session.raise({ type: 'state', state: 'OPEN', reason: null }))
      await second.directory.start()
      await settled()
      const row = rowOf(second, id)
      t.deepEqual(audit(second, numberId, row), ['call.connected', 'call.ended'])
      t.like(row, { status: 'COMPLETED', durationSeconds: 42 })
    }),
    { numRuns: 80 },
  )
})
