import { Recent } from './recent.ts'

/** our choice: the latest 10,000 requests are remembered. */
const MAX_ENTRIES = 10_000
/** our choice: fields whose JSON is longer are not remembered, so that the ledger stays below 160 MB at worst. */
const MAX_FIELDS_LENGTH = 16_384

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
  /**
   * Fields of the request, without credentials and session descriptions; `{isTooLarge: true}` in place of very long
   * ones.
   */
  readonly fields: unknown
}

/** Requests to the upstreams, oldest first. */
export interface Ledger {
  add(entry: LedgerEntry): void
  list(filter: { path?: string; op?: string; number?: string }): LedgerEntry[]
  clear(): void
}

export function createLedger(): Ledger {
  const entries = new Recent<LedgerEntry>(MAX_ENTRIES)
  return {
    add(entry) {
      const isTooLarge = (JSON.stringify(entry.fields) ?? '').length > MAX_FIELDS_LENGTH
      entries.add(isTooLarge ? { ...entry, fields: { isTooLarge } } : entry)
    },
    list({ path, op, number }) {
      return entries
        .list()
        .filter(
          (entry) =>
            (path === undefined || entry.path.includes(path))
            && (op === undefined || entry.op === op)
            && (number === undefined || entry.number === number),
        )
    },
    clear: () => entries.clear(),
  }
}
