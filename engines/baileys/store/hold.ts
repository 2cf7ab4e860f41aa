/**
 * The right of this engine to a number's device state. Every read and write of the number carries it, and nothing
 * leaves to the network without it: one number never has two sockets ([engine-fleet.store.3] [engine-fleet.store.4]).
 */
export interface Hold {
  readonly numberId: string
  /** Rises each time that the number is taken; a read or write with an older one fails. */
  readonly token: number
  /** Aborts once the number is no longer ours: taken by another engine, given back, or not known to be ours in time. */
  readonly over: AbortSignal
  /** Whether no other engine can hold the number now. */
  isSure(): boolean
  /** Resolves once it is sure again, rejects once it is over. */
  sure(): Promise<void>
  /** Ends it at once, so that nobody acts on it any more; another one may take the number soon after. */
  end(why: string): void
  /** Gives the number back: another engine may take it at once. Never rejects. */
  release(): Promise<void>
}

/** Takes numbers for this engine. */
export interface Holds {
  /** Takes a number. Rejects with HeldElsewhere while another engine holds it. */
  take(numberId: string): Promise<Hold>
  /** Gives everything back. */
  close(): Promise<void>
}

/** Another engine holds the number. */
export class HeldElsewhere extends Error {
  /** The id of the engine that holds it; null when nobody knows, because its time runs out just now. */
  readonly engineId: string | null
  /** Ms until its lease ends unless it is renewed; 0 when it is over. */
  readonly leftMs: number

  constructor(engineId: string | null, leftMs: number) {
    super('another engine holds the number')
    this.name = 'HeldElsewhere'
    this.engineId = engineId
    this.leftMs = leftMs
  }
}

/**
 * A read or write failed for no fault of its values. Another engine may have the number, or whether something is stored
 * is unknown: what the number's session has in memory may be out of date, so its hold ends.
 */
export class HoldFault extends Error {
  /** Null for all that took part. */
  readonly numberIds: ReadonlySet<string> | null

  constructor(why: string, numberIds: ReadonlySet<string> | null = null) {
    super(why)
    this.name = 'HoldFault'
    this.numberIds = numberIds
  }
}

/** Ends the hold of a failed read or write before anybody hears of the failure. Gives whether it ended. */
export function endByFault(hold: Hold | null, error: unknown): boolean {
  if (!hold || !(error instanceof HoldFault)) return false
  if (error.numberIds?.has(hold.numberId) === false) return false
  hold.end(error.message)
  return true
}

/** The holds of a store that this process has alone. */
export function soleHolds(): Holds {
  return {
    async take(numberId) {
      const over = new AbortController()
      const end = (why: string): void => over.abort(new HoldFault(why))
      return {
        numberId,
        token: 0,
        over: over.signal,
        isSure: () => !over.signal.aborted,
        sure: async () => over.signal.throwIfAborted(),
        end,
        release: async () => end('it was given back'),
      }
    },
    async close() {
      // The store ends with its process.
    },
  }
}
