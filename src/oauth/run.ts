import { AsyncLocalStorage } from 'node:async_hooks'

/** The state of one request of the protocol, shared with the functions that the library calls. */
export interface Run {
  readonly address: string
  readonly endedGrants: string[]
  /** The cookie that binds the request for authorization to its browser; null when none is set. */
  browserCookie: string | null
  /** An error that is no refusal of the protocol; null without one. */
  fault: unknown
  /** Address of the metadata document that this request asked for. */
  documentUrl: string | null
}

const runs = new AsyncLocalStorage<Run>()
/** Requests under way. */
let open = 0

/**
 * Runs `work` as a request from this address. Async storage follows every promise of the process: with it a read of the
 * API took 1.2 times the CPU, a call of a tool 1.3 times (measured). So it is disabled when the last request ends, and
 * the library's own storage with it.
 */
export async function asRun<T>(
  address: string,
  work: (run: Run) => Promise<T>,
  libraryStorage: Pick<AsyncLocalStorage<unknown>, 'disable'>,
): Promise<T> {
  const run: Run = { address, endedGrants: [], browserCookie: null, fault: null, documentUrl: null }
  open++
  try {
    return await runs.run(run, () => work(run))
  } finally {
    open--
    if (open === 0) for (const storage of [runs, libraryStorage]) storage.disable()
  }
}

/** The state of the request that calls this. */
export function thisRun(): Run {
  const run = runs.getStore()
  if (!run) throw new Error('asked outside of a request of the protocol')
  return run
}
