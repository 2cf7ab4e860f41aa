/**
 * Where sealing anew goes on: a column by its place in the list, and the key of the last row that was looked at; null:
 * at its beginning.
 */
export interface ResealPlace {
  readonly column: number
  readonly after: readonly string[] | null
}

/** What came of some rows of a column. */
export interface ResealStep {
  /** `table.column`. */
  readonly of: string
  readonly looked: number
  readonly resealed: number
  /** None of the keys opens them: they are as they were. */
  readonly unopened: number
  /** Null: that was the last. */
  readonly next: ResealPlace | null
}

export const RESEAL_FROM: ResealPlace = { column: 0, after: null }

/**
 * Seals what is sealed with an older key of ENCRYPTION_KEY with the first. Whatever is broken off is begun again: what
 * is done is passed over.
 */
export interface ResealingStore {
  step(place: ResealPlace): Promise<ResealStep>
}
