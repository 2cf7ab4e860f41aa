/**
 * Where resealing goes on: a column by its place in the list, and the key of the last row that was read, null for its
 * beginning.
 */
export interface ResealPlace {
  readonly column: number
  readonly after: readonly string[] | null
}

/** The result of some rows of a column. */
export interface ResealStep {
  /** `table.column`. */
  readonly of: string
  readonly looked: number
  readonly resealed: number
  /** Rows that no key opens; they stay as they are. */
  readonly unopened: number
  /** Null after the last. */
  readonly next: ResealPlace | null
}

export const RESEAL_FROM: ResealPlace = { column: 0, after: null }

/**
 * Seals anew, with the first key of ENCRYPTION_KEY, what an older key sealed. An interrupted run is begun again: it
 * skips what is done.
 */
export interface ResealingStore {
  step(place: ResealPlace): Promise<ResealStep>
}
