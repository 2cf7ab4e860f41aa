/**
 * A table from the type of an effect to the function that does it. It is closed: an effect without a row is a type
 * error.
 */
export type EffectTable<E extends { readonly type: string }, World> = {
  readonly [T in E['type']]: (world: World, effect: Extract<E, { readonly type: T }>) => void
}

/** Does an effect by its row. The cast ties the type to its own row, which generic code cannot show. */
export function doEffect<E extends { readonly type: string }, World>(
  table: EffectTable<E, World>,
  world: World,
  effect: E,
): void {
  const row = table[effect.type as E['type']] as (world: World, effect: E) => void
  row(world, effect)
}
