/** our choice: the latest 10,000 requests are remembered. */
const MAX_ENTRIES = 10_000

/** One request that reached a simulated upstream. Credentials are never in it. */
export interface LedgerEntry {
  /** Ms since the epoch. */
  readonly atMs: number
  readonly kind: 'device' | 'official'
  readonly method: string | null
  readonly path: string
  readonly op: string | null
  readonly numberId: string | null
  /** Digits of the gateway number. */
  readonly number: string | null
  /** What was asked, without credentials and session descriptions. */
  readonly fields: unknown
}

/** What the upstreams were asked, oldest first. */
export interface Ledger {
  add(entry: LedgerEntry): void
  list(filter: { path?: string, op?: string, number?: string }): LedgerEntry[]
  clear(): void
}

export function createLedger(): Ledger {
  let entries: LedgerEntry[] = []
  return {
    add(entry) {
      entries.push(entry)
      if (entries.length > MAX_ENTRIES) entries = entries.slice(-MAX_ENTRIES)
    },
    list({ path, op, number }) {
      return entries.filter((entry) => (path === undefined || entry.path.includes(path))
        && (op === undefined || entry.op === op)
        && (number === undefined || entry.number === number))
    },
    clear() {
      entries = []
    },
  }
}
