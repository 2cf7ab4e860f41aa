/** A statement whose values are taken by place, in the order of `fields`. */
export interface Statement {
  readonly text: string
  readonly fields: readonly string[]
}

/** Reads `:name` in a statement as the value of that field; `mark` is what stands in its place, counted from 1. */
export function statementOf(sql: string, mark: (place: number, field: string) => string): Statement {
  const fields: string[] = []
  const text = sql.replaceAll(/:([a-zA-Z]+)/g, (_, field: string) => mark(fields.push(field), field))
  return { text, fields }
}
