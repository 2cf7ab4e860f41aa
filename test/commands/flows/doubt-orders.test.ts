import test from 'ava'
import fc from 'fast-check'
import type { FlowStatus } from '../../../src/domain/flow.ts'
import { counted } from '../../helpers/size.ts'
import { assertUnbroken, becoming, command, doing, surroundings } from '../official/account-commands.ts'
import type { Command } from '../official/account-commands.ts'
import { FlowDoubtWorld } from './doubt-world.ts'

type World = FlowDoubtWorld

/** The first one more often. */
const which = fc.constantFrom(0, 0, 0, 1, 2, 3)
const name = fc.constantFrom('one', 'one', 'two', 'three')
const json = fc.constantFrom('{"screens":[1]}', '{"screens":[2]}', '{}')
const nothing = fc.constant('')

const does = doing<World>(which)
const becomes = becoming<World>(which)

const lead = becomes(
  'lead',
  fc.constantFrom<FlowStatus>('PUBLISHED', 'PUBLISHED', 'THROTTLED', 'BLOCKED', 'DEPRECATED'),
  ({ account }, flow, to) => account.lead(flow, to),
)
const happening = fc.oneof(
  ...Array.from({ length: 3 }, () => lead),
  becomes('by hand: add', name, ({ account }, _, called) => account.addByHand(called)),
  becomes('by hand: rename', fc.constantFrom('one', 'two', 'four'), ({ account }, flow, called) =>
    account.changeByHand(flow, called),
  ),
  becomes('by hand: remove', nothing, ({ account }, flow) => account.changeByHand(flow, null)),
)

const commands: fc.Arbitrary<Iterable<Command<World>>> = fc.commands(
  [
    ...surroundings(happening),
    ...does(2, 'create', name, (world, gateway, _, called) => world.create(gateway, called, null)),
    name.map((called) => command<World>({ text: `create ${called} and upload`, run: (world) => world.draw(called) })),
    ...does(1, 'clone', name, (world, gateway, flow, called) => world.create(gateway, called, flow)),
    ...does(3, 'rename', name, (world, gateway, flow, called) => world.rename(gateway, flow, called)),
    ...does(1, 'upload', json, (world, gateway, flow, text) => world.upload(gateway, flow, text)),
    ...does(1, 'publish', nothing, (world, gateway, flow) => world.publish(gateway, flow)),
    ...does(1, 'deprecate', nothing, (world, gateway, flow) => world.deprecate(gateway, flow)),
    ...does(1, 'remove', nothing, (world, gateway, flow) => world.remove(gateway, flow)),
    ...does(1, 'refresh', nothing, (world, gateway, flow) => world.refresh(gateway, flow)),
  ],
  { maxCommands: 60, size: 'max' },
)

test('however answers are lost, come late and are told, Flows are the same on both sides', async (t) => {
  const holds = fc.asyncProperty(fc.boolean(), commands, async (isDrawn, all) => {
    const world = new FlowDoubtWorld()
    if (isDrawn) await world.draw('one')
    await fc.asyncModelRun(() => ({ model: {}, real: world }), all)
    await world.stage.rest()
    assertUnbroken(world)
  })
  await fc.assert(holds, { numRuns: counted(10_000, 450), includeErrorInReport: true })
  t.pass()
})
