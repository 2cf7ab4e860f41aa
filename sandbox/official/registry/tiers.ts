/** A messaging limit: those of upstream, and others of any size, so that tests need few people. */
export const TIER = /^TIER_(?:([1-9]\d{0,5})(K?)|UNLIMITED)$/

/** How many people a messaging limit lets an account reach in a day. */
export function peopleOf(tier: string): number {
  const [, count, thousands] = TIER.exec(tier) ?? []
  return count === undefined ? Infinity : Number(count) * (thousands === 'K' ? 1_000 : 1)
}
