/**
 * A table from the type of a message to its change of a state. It is closed: a message without a row is a type error.
 */
export type VerbTable<M extends { readonly type: string }, State, Made> = {
  readonly [T in M['type']]: (state: State, message: Extract<M, { readonly type: T }>, nowMs: number) => Made
}

/** Decides by the row of a message. The cast ties the type to its own row, which generic code cannot show. */
export function decideBy<M extends { readonly type: string }, State, Made>(
  table: VerbTable<M, State, Made>,
  state: State,
  message: M,
  nowMs: number,
): Made {
  const row = table[message.type as M['type']] as (state: State, message: M, nowMs: number) => Made
  return row(state, message, nowMs)
}
