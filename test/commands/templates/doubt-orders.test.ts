import test from 'ava'
import fc from 'fast-check'
import { counted } from '../../helpers/size.ts'
import { assertUnbroken, command, surroundings } from '../official/account-commands.ts'
import type { Command, Happening } from '../official/account-commands.ts'
import type { Key } from './doubt-account.ts'
import { TemplateDoubtWorld } from './doubt-world.ts'

type World = TemplateDoubtWorld

/** One gateway, or both at once. */
const gateways = fc.constantFrom([0], [0], [1], [1], [0, 1])
/** The first one more often. */
const which = fc.constantFrom(0, 0, 1)
const text = fc.constantFrom('One is here.', 'Two is here.', 'Three is here.')

/** Something that clients or a gateway do. */
function does(weight: number, what: string, run: (world: World, at: number, key: Key, text: string) => unknown) {
  const one = fc.tuple(gateways, which, text).map(([all, key, words]) =>
    command<World>({
      text: `gateway ${all.join(' and ')}: ${what} ${key} "${words}"`,
      run: (world) => Promise.all(all.map((gateway) => run(world, gateway, world.key(key), words))),
    }),
  )
  return Array.from({ length: weight }, () => one)
}

/** Something that becomes of a template upstream without the service. */
function becomes<Word extends string>(
  what: string,
  words: fc.Arbitrary<Word>,
  run: (world: World, key: Key, word: Word) => void,
): fc.Arbitrary<Happening<World>> {
  return fc
    .tuple(which, words)
    .map(([key, word]) => ({ text: `${what} ${key}: ${word}`, run: (world) => run(world, world.key(key), word) }))
}

const review = becomes(
  'review',
  fc.constantFrom('APPROVED', 'APPROVED', 'REJECTED', 'PAUSED'),
  ({ account }, key, status) => account.review(key, status),
)
const happening = fc.oneof(
  ...Array.from({ length: 4 }, () => review),
  becomes('rate', fc.constantFrom('GREEN', 'RED'), ({ account }, key, quality) => account.rate(key, quality)),
  becomes('by hand: add', text, ({ account }, key, words) => account.addByHand(key, words)),
  becomes('by hand: edit', text, ({ account }, key, words) => account.editByHand(key, words)),
  becomes('by hand: remove', fc.constant(''), ({ account }, key) => account.removeByHand(key)),
)

const commands: fc.Arbitrary<Iterable<Command<World>>> = fc.commands(
  [
    ...surroundings(happening),
    ...does(2, 'create', (world, gateway, key, words) => world.create(gateway, key, words)),
    fc
      .tuple(which, text)
      .map(([key, words]) =>
        command<World>({ text: `create and approve ${key}`, run: (world) => world.approve(world.key(key), words) }),
      ),
    ...does(2, 'edit', (world, gateway, key, words) => world.edit(gateway, key, words)),
    ...does(1, 'remove', (world, gateway, key) => world.remove(gateway, key)),
    ...does(1, 'refresh', (world, gateway, key) => world.refresh(gateway, key)),
    ...does(1, 'list', (world, gateway) =>
      world.stage.run('a listing', () => world.list(world.stage.gateway(gateway))),
    ),
    ...does(1, 'settle', (world, gateway) =>
      world.stage.run('a chore', () => world.settle(world.stage.gateway(gateway))),
    ),
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
