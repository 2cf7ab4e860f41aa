import type { TestFn } from 'ava'
import type { StoredEvent } from '../../src/domain/events.ts'
import { newId, type EventId } from '../../src/domain/ids.ts'
import { callEvent, newCall, ownedNumber, type MakeWorld } from './world.ts'

/** What every EventStore does. */
export function eventStoreSuite(test: TestFn, name: string, makeWorld: MakeWorld): void {
  test(`${name}: events are read on from the last one seen, in the order they were stored`, async (t) => {
    const world = makeWorld()
    const owned = await ownedNumber(world)
    const scope = { tenantId: owned.tenantId, numberId: owned.number.id }
    for (let i = 0; i < 3; i++) {
      await world.stores.calls.insert(owned.fence, newCall(owned), [
        callEvent('call.ringing', { i }),
        callEvent('call.connected', { i }),
      ])
    }
    const all = (await world.stores.events.list(scope, { limit: 100, after: null, event: null })) ?? []
    t.deepEqual(
      all.slice(1).map(({ event, data }) => `${event} ${String(data['i'])}`),
      [0, 1, 2].flatMap((i) => [`call.ringing ${i}`, `call.connected ${i}`]),
    )
    const pages: string[] = []
    let after: EventId | null = null
    for (;;) {
      const page: StoredEvent[] = (await world.stores.events.list(scope, { limit: 2, after, event: null })) ?? []
      t.true(page.length <= 2)
      if (page.length === 0) break
      pages.push(...page.map(({ id }) => id))
      after = page.at(-1)?.id ?? null
    }
    t.deepEqual(
      pages,
      all.map(({ id }) => id),
    )
    const connected = await world.stores.events.list(scope, {
      limit: 2,
      after: all[2]?.id ?? null,
      event: 'call.connected',
    })
    t.deepEqual(
      connected,
      [all[4], all[6]].filter((event) => event !== undefined),
    )
  })

  test(`${name}: a cursor of another tenant, another number or nobody answers null`, async (t) => {
    const world = makeWorld()
    const [own, other] = [await ownedNumber(world), await ownedNumber(world)]
    const [foreign] =
      (await world.stores.events.list(
        { tenantId: other.tenantId, numberId: null },
        { limit: 1, after: null, event: null },
      )) ?? []
    t.truthy(foreign)
    for (const after of [foreign?.id ?? newId('evt'), newId('evt')]) {
      t.is(
        await world.stores.events.list({ tenantId: own.tenantId, numberId: null }, { limit: 5, after, event: null }),
        null,
      )
      t.is(
        await world.stores.events.list(
          { tenantId: own.tenantId, numberId: own.number.id },
          { limit: 5, after, event: null },
        ),
        null,
      )
    }
    t.deepEqual(
      await world.stores.events.list(
        { tenantId: own.tenantId, numberId: other.number.id },
        { limit: 5, after: null, event: null },
      ),
      [],
    )
  })
}
