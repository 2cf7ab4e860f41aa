import type { TestFn } from 'ava'
import { newId } from '../../src/domain/ids.ts'
import { IDEMPOTENCY_LOCK_MS, IDEMPOTENCY_MS } from '../../src/domain/limits.ts'
import type { IdempotentRequest } from '../../src/ports/stores/idempotency-store.ts'
import type { MakeWorld } from './world.ts'

function newRequest(fields: Partial<IdempotentRequest> = {}): IdempotentRequest {
  return { ownerId: newId('num'), key: 'order-7', fingerprint: 'f1', ...fields }
}

/** What every IdempotencyStore does. */
export function idempotencyStoreSuite(test: TestFn, name: string, makeWorld: MakeWorld): void {
  test(`${name}: of 50 starts at once exactly one starts, the others are running`, async (t) => {
    const { idempotency } = makeWorld().stores
    const request = newRequest()
    const starts = await Promise.all(Array.from({ length: 50 }, () => idempotency.start(request)))
    const kinds = starts.map(({ kind }) => kind)
    t.is(kinds.filter((kind) => kind === 'started').length, 1)
    t.is(kinds.filter((kind) => kind === 'running').length, 49)
  })

  test(`${name}: the first answer is replayed, to the same body only`, async (t) => {
    const { idempotency } = makeWorld().stores
    const request = newRequest()
    t.deepEqual(await idempotency.start(request), { kind: 'started' })
    t.deepEqual(await idempotency.start({ ...request, fingerprint: 'f2' }), { kind: 'reused' })
    await idempotency.finish(request, { status: 201, body: '{"key":"shown once"}' })
    t.deepEqual(await idempotency.start(request), {
      kind: 'replay',
      answer: { status: 201, body: '{"key":"shown once"}' },
    })
    t.deepEqual(await idempotency.start({ ...request, fingerprint: 'f2' }), { kind: 'reused' })
    await idempotency.finish(request, { status: 500, body: 'late' })
    t.deepEqual(await idempotency.start(request), {
      kind: 'replay',
      answer: { status: 201, body: '{"key":"shown once"}' },
    })
  })

  test(`${name}: of 50 starts with their answer at once one keeps it, and the others get it again`, async (t) => {
    const { idempotency } = makeWorld().stores
    const request = newRequest()
    const starts = await Promise.all(
      Array.from({ length: 50 }, (_one, at) => idempotency.startAnswered(request, { status: 404, body: String(at) })),
    )
    t.is(starts.filter(({ kind }) => kind === 'started').length, 1)
    const kept = await idempotency.find(request)
    t.is(kept?.kind, 'replay')
    t.true(
      starts.every(
        (start) =>
          start.kind === 'started'
          || (start.kind === 'replay' && kept?.kind === 'replay' && start.answer.body === kept.answer.body),
      ),
    )
    t.deepEqual(await idempotency.startAnswered({ ...request, fingerprint: 'f2' }, { status: 404, body: 'other' }), {
      kind: 'reused',
    })
  })

  test(`${name}: two owners may use the same key`, async (t) => {
    const { idempotency } = makeWorld().stores
    const request = newRequest()
    await idempotency.start(request)
    t.deepEqual(await idempotency.start({ ...request, ownerId: newId('num') }), { kind: 'started' })
  })

  test(`${name}: a claim given back, or left by a crash, may be started again`, async (t) => {
    const world = makeWorld()
    const { idempotency } = world.stores
    const request = newRequest()
    await idempotency.start(request)
    await idempotency.abandon(request)
    t.deepEqual(await idempotency.start(request), { kind: 'started' })
    world.clock.advance(IDEMPOTENCY_LOCK_MS - 1)
    t.deepEqual(await idempotency.start(request), { kind: 'running' })
    world.clock.advance(1)
    t.deepEqual(await idempotency.start({ ...request, fingerprint: 'f2' }), { kind: 'reused' })
    const starts = await Promise.all(Array.from({ length: 10 }, () => idempotency.start(request)))
    t.is(starts.filter(({ kind }) => kind === 'started').length, 1)
  })

  test(`${name}: abandoning never takes back an answer`, async (t) => {
    const { idempotency } = makeWorld().stores
    const request = newRequest()
    await idempotency.start(request)
    await idempotency.finish(request, { status: 200, body: 'kept' })
    await idempotency.abandon(request)
    t.deepEqual(await idempotency.start(request), { kind: 'replay', answer: { status: 200, body: 'kept' } })
  })

  test(`${name}: an answer lasts 24 h and is then purged`, async (t) => {
    const world = makeWorld(Date.UTC(2001, 0, 1))
    const { idempotency } = world.stores
    const [kept, forgotten] = [newRequest(), newRequest()]
    for (const request of [kept, forgotten]) {
      await idempotency.start(request)
      await idempotency.finish(request, { status: 200, body: 'x' })
    }
    world.clock.advance(IDEMPOTENCY_MS - 1)
    t.is((await idempotency.start(kept)).kind, 'replay')
    world.clock.advance(1)
    t.is((await idempotency.start(kept)).kind, 'started')
    world.clock.advance(1)
    t.is(await idempotency.purge(), 1)
    t.is(await idempotency.purge(), 0)
    t.is((await idempotency.start(kept)).kind, 'running')
  })
}
