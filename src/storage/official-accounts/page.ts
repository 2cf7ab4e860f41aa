/** The state of one row while a page is merged. */
export interface Course<Row> {
  /** Null when the row is new. */
  readonly before: Row | null
  /** Null when the row is to be removed. */
  after: Row | null
}

/** A row of the page after the merge. */
export interface LeftRow<Row> {
  readonly before: Row | null
  readonly after: Row
}

/** The decision on a listed thing: nothing, a new row, another state of its row, or its removal. */
export type PageFate<Row> =
  | { readonly kind: 'KEEP' }
  | { readonly kind: 'CREATE'; readonly row: Row }
  | { readonly kind: 'CHANGE'; readonly change: (row: Row) => Row }
  | { readonly kind: 'REMOVE' }

/** The rows of a page of a listing while it is merged, found by any of their keys. */
export class PageRows<Row extends { readonly id: string }> {
  readonly #courses = new Map<Row['id'], Course<Row>>()
  readonly #byKey = new Map<string, Course<Row>>()
  readonly #keysOf: (row: Row) => readonly string[]

  constructor(rows: readonly Row[], keysOf: (row: Row) => readonly string[]) {
    this.#keysOf = keysOf
    for (const row of rows) this.#add(row, { before: row, after: row })
  }

  /**
   * Decides on what is listed under these keys; the first key that leads to a row counts. Answers the id of the row, or
   * null when there is none.
   */
  settle(keys: readonly string[], decide: (row: Row | null) => PageFate<Row>): Row['id'] | null {
    const course = keys.map((key) => this.#byKey.get(key)).find((one) => one !== undefined)
    const row = course?.after ?? null
    const fate = decide(row)
    if (fate.kind === 'CREATE') {
      // A row that exists keeps its place, because it has the name.
      if (row === null) this.#add(fate.row, { before: null, after: fate.row })
      return row?.id ?? fate.row.id
    }
    if (!course || row === null) return null
    if (fate.kind === 'CHANGE') course.after = fate.change(row)
    if (fate.kind === 'REMOVE') course.after = null
    return row.id
  }

  get removed(): Row['id'][] {
    return [...this.#courses].flatMap(([id, { after }]) => (after === null ? [id] : []))
  }

  /** Rows that are to be overwritten. */
  get changed(): LeftRow<Row>[] {
    return this.#left().filter(({ before, after }) => before !== null && before !== after)
  }

  get fresh(): LeftRow<Row>[] {
    return this.#left().filter(({ before }) => before === null)
  }

  #left(): LeftRow<Row>[] {
    return [...this.#courses.values()].flatMap(({ before, after }) => (after === null ? [] : { before, after }))
  }

  #add(row: Row, course: Course<Row>): void {
    this.#courses.set(row.id, course)
    for (const key of this.#keysOf(row)) this.#byKey.set(key, course)
  }
}
