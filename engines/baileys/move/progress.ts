/** our choice: at most one line of progress in so many ms. */
const LINE_MS = 2_000

/** Tells how far a move is. */
export interface Progress {
  /** Rows that were carried. */
  rows(count: number): void
  /** A number that moved, completely. */
  number(): void
  /** The line of now. */
  line(): string
}

export interface ProgressOptions {
  readonly numbers: number
  readonly rows: number
  readonly print: (line: string) => void
  /** Ms since the epoch. */
  readonly now: () => number
}

export function createProgress({ numbers, rows, print, now }: ProgressOptions): Progress {
  const began = now()
  let told = began
  let doneNumbers = 0
  let doneRows = 0

  function line(): string {
    const seconds = Math.max(now() - began, 1) / 1_000
    const perSecond = Math.round(doneRows / seconds)
    const left = doneRows === 0 ? 'unknown time' : `${Math.ceil((Math.max(rows - doneRows, 0) * seconds) / doneRows)} s`
    return `${doneNumbers} of ${numbers} numbers, ${doneRows} of ${rows} rows, ${perSecond} rows/s, ${left} left`
  }

  function tell(): void {
    if (now() - told < LINE_MS) return
    told = now()
    print(line())
  }

  return {
    line,
    rows(count) {
      doneRows += count
      tell()
    },
    number() {
      doneNumbers += 1
      tell()
    },
  }
}
