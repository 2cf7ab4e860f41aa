import type { Command } from 'fast-check'

/** Something that may happen in a world, which is its own model. */
export type Order<World extends object> = Command<World, World>

/** Makes what may happen in worlds of one kind. `assertHolds` runs after each and throws when a promise is broken. */
export function ordersOf<World extends object>(assertHolds: (world: World) => void) {
  return (
    text: string,
    run: (world: World) => void,
    isPossible: (world: World) => boolean = () => true,
  ): Order<World> => ({
    check: (world) => isPossible(world as World),
    run(_, world) {
      run(world)
      assertHolds(world)
    },
    toString: () => text,
  })
}
