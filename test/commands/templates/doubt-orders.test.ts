import test from 'ava'
import fc from 'fast-check'
import { counted } from '../../helpers/size.ts'
import { assertUnbroken, becoming, command, doing, surroundings } from '../official/account-commands.ts'
import type { Command } from '../official/account-commands.ts'
import { TemplateDoubtWorld } from './doubt-world.ts'

type World = TemplateDoubtWorld

/** The first one more often. */
const which = fc.constantFrom(0, 0, 1)
const nothing = fc.constant('')
const text = fc.constantFrom('One is here.', 'Two is here.', 'Three is here.')

const does = doing<World>(which)
const becomes = becoming<World>(which)

const review = becomes('review', fc.constantFrom('APPROVED', 'APPROVED', 'REJECTED', 'PAUSED'), (world, at, status) =>
  world.account.review(world.key(at), status),
)
const happening = fc.oneof(
  ...Array.from({ length: 4 }, () => review),
  becomes('rate', fc.constantFrom('GREEN', 'RED'), (world, at, quality) => world.account.rate(world.key(at), quality)),
  becomes('by hand: add', text, (world, at, words) => world.account.addByHand(world.key(at), words)),
  becomes('by hand: edit', text, (world, at, words) => world.account.editByHand(world.key(at), words)),
  becomes('by hand: remove', nothing, (world, at) => world.account.removeByHand(world.key(at))),
)

const commands: fc.Arbitrary<Iterable<Command<World>>> = fc.commands(
  [
    ...surroundings(happening),
    ...does(2, 'create', text, (world, gateway, at, words) => world.create(gateway, world.key(at), words)),
    fc
      .tuple(which, text)
      .map(([at, words]) =>
        command<World>({ text: `create and approve ${at}`, run: (world) => world.approve(world.key(at), words) }),
      ),
    ...does(2, 'edit', text, (world, gateway, at, words) => world.edit(gateway, world.key(at), words)),
    ...does(1, 'remove', nothing, (world, gateway, at) => world.remove(gateway, world.key(at))),
    ...does(1, 'refresh', nothing, (world, gateway, at) => world.refresh(gateway, world.key(at))),
  ],
  { maxCommands: 60, size: 'max' },
)

test('however answers are lost, come late and are told, templates are the same on both sides', async (t) => {
  const holds = fc.asyncProperty(fc.boolean(), commands, async (isApproved, all) => {
    const world = new TemplateDoubtWorld()
    if (isApproved) await world.approve(world.key(0), 'One is here.')
    await fc.asyncModelRun(() => ({ model: {}, real: world }), all)
    await world.stage.rest()
    assertUnbroken(world)
  })
  await fc.assert(holds, { numRuns: counted(10_000, 800), includeErrorInReport: true })
  t.pass()
})
