import { AsyncLocalStorage } from 'node:async_hooks'

/** One request of the protocol: what its parts, which the library calls, have to know and to tell. */
export interface Run {
  readonly address: string
  readonly endedGrants: string[]
  /** Binds what was asked to the browser it was asked in. */
  browserCookie: string | null
  /** What was thrown and is no refusal of the protocol. */
  fault: unknown
  /** Address of the metadata document that this request asked for. */
  documentUrl: string | null
}

const runs = new AsyncLocalStorage<Run>()
/** Requests under way. */
let open = 0

/**
 * Does the work as a request from this address. What tells its parts which request they are of follows every promise of
 * the process: a read of the API took 1.2 times as much of a processor, a call of a tool 1.3 times (measured). So that
 * ends with the last request under way, in the library's own storage, too.
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

/** The request that this is part of. */
export function thisRun(): Run {
  const run = runs.getStore()
  if (!run) throw new Error('asked outside of a request of the protocol')
  return run
}
