import type { TestFn } from 'ava'
import type { ChannelNumber } from '../../src/domain/number.ts'
import type { AnswerRig } from './flow-answers.ts'
import { flowAccount, madeFlow, type FlowAccount } from './flow-world.ts'
import { newTenant } from './official-store.ts'
import type { MakeWorld, World } from './world.ts'
import { sentFlow, DAY_MS, listed } from './flow-response-world.ts'

/**
 * What the purge removes of responses. It acts on the whole database by the clock of one test, so these tests run one
 * after another.
 */
export function flowResponsePurgeSuite(test: TestFn, name: string, makeWorld: MakeWorld, rig: AnswerRig): void {
  const rowsOf = async (world: World, table: string, number: ChannelNumber) =>
    (JSON.parse(await world.rawTable(table)) as { readonly number_id: string; readonly responses?: number }[]).filter(
      (row) => row.number_id === number.id,
    )

  test.serial(
    `${name}: the purge removes responses past the window of their number, and all of RELAY_ONLY numbers, with their counts`,
    async (t) => {
      const now = Date.UTC(2011, 0, 10, 12)
      const world = makeWorld(now)
      const [limited, relay, whole] = [
        await sentFlow(world, rig, { piiMode: 'STORE_X_DAYS', piiRetentionDays: 3 }),
        await sentFlow(world, rig),
        await sentFlow(world, rig),
      ]
      for (const { number, contextId } of [limited, relay, whole]) {
        await rig.store(
          number,
          [0, 2, 3, 3.1, 5].map((days) => ({
            contextId,
            at: new Date(now - days * DAY_MS),
            response: { name: `secret-${days}` },
          })),
        )
      }
      await world.stores.numbers.patch(relay.tenantId, relay.number.id, { piiMode: 'RELAY_ONLY' })
      await world.stores.messages.purge()
      const left = async ({ number }: FlowAccount) => [
        (await rowsOf(world, 'flow_responses', number)).length,
        (await rowsOf(world, 'flow_response_counts', number)).reduce((sum, { responses = 0 }) => sum + responses, 0),
      ]
      t.deepEqual(
        [await left(limited), await left(relay), await left(whole)],
        [
          [3, 3],
          [0, 0],
          [5, 5],
        ],
      )
      t.deepEqual(await rowsOf(world, 'flow_response_counts', relay.number), [])
      t.like(await listed(world, limited.number, limited.flow.id), { total: 3 })
      world.clock.advance(400 * DAY_MS)
      await Promise.all([world.stores.messages.purge(), world.stores.messages.purge()])
      t.deepEqual(
        [await left(limited), await left(whole)],
        [
          [0, 0],
          [5, 5],
        ],
      )
      t.deepEqual(await rowsOf(world, 'flow_response_counts', limited.number), [])
    },
  )

  test.serial(
    `${name}: the purge joins responses that a simultaneous settlement missed, and removes those that nobody could join for a week`,
    async (t) => {
      const now = Date.UTC(2011, 0, 10, 12)
      const world = makeWorld(now)
      const { number, owner } = await flowAccount(world, await newTenant(world))
      const flow = await madeFlow(world, owner)
      await rig.send(number, { flowId: flow.id })
      await rig.store(number, [
        { contextId: `wamid.missed.${flow.id}`, at: new Date(now) },
        { contextId: 'wamid.never', at: new Date(now) },
      ])
      // This message is settled by a statement that began before the answer was stored.
      await rig.send(number, { flowId: flow.id, externalId: `wamid.missed.${flow.id}` })
      await world.stores.messages.purge()
      t.like(await listed(world, number, flow.id), { total: 1, names: ['Ada'] })
      t.is((await rowsOf(world, 'flow_responses', number)).length, 2)
      world.clock.advance(7 * DAY_MS + 1)
      await world.stores.messages.purge()
      t.is((await rowsOf(world, 'flow_responses', number)).length, 1)
      t.like(await listed(world, number, flow.id), { total: 1 })
    },
  )
}
