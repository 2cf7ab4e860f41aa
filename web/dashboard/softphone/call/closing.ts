/** What a close code means for the call: it is over, another page has it, or a new session may go on with it. */
export type Closing = 'over' | 'taken' | 'again'

/** Codes of docs/contract/realtime.md#closing that do not ask for another session. */
const NOT_AGAIN: ReadonlyMap<number, Closing> = new Map([
  [1000, 'over'],
  [4409, 'taken'],
  [4410, 'over'],
])

export function closingOf(code: number): Closing {
  return NOT_AGAIN.get(code) ?? 'again'
}
