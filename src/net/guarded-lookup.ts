import { lookup } from 'node:dns/promises'
import type { LookupAddress, LookupOptions } from 'node:dns'
import { FetchFault } from './fetch-failure.ts'
import type { AddressGuard } from './address-guard.ts'
import type { FetchFailure } from './fetch-failure.ts'

/** Gives every address of a name; empty, or a rejection, when there is none. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>

/**
 * Our choice: the resolver of the operating system, so that hosts files and search domains count as for every other
 * program. Its order is kept.
 */
export const systemResolve: Resolve = (host) => lookup(host, { all: true, order: 'verbatim' })

export type Resolved =
  | { readonly ok: true; readonly addresses: readonly LookupAddress[] }
  | { readonly ok: false; readonly failure: FetchFailure }

/** Resolves a name and refuses it when any one of its addresses is refused. */
export async function resolveGuarded(host: string, resolve: Resolve, guard: AddressGuard): Promise<Resolved> {
  let addresses: readonly LookupAddress[] = []
  try {
    addresses = await resolve(host)
  } catch {
    // Without an address the reason is of no use to the caller, who is told below.
  }
  if (addresses.length === 0)
    return { ok: false, failure: { kind: 'dns', message: 'The name of the host has no address.' } }
  if (addresses.every(({ address }) => guard.isAllowed(address, host))) return { ok: true, addresses }
  return {
    ok: false,
    failure: { kind: 'forbidden', message: 'The name of the host leads to an address that is not public.' },
  }
}

type LookupAnswer = (error: Error | null, address: string | LookupAddress[], family?: number) => void

/**
 * Makes a `lookup` for sockets: the socket connects to what was checked, so a name that answers differently the next
 * time (DNS rebinding) gains nothing.
 */
export function guardedLookup(resolve: Resolve, guard: AddressGuard) {
  return (host: string, options: LookupOptions, answer: LookupAnswer): void => {
    void resolveGuarded(host, resolve, guard).then((resolved) => {
      if (!resolved.ok) return answer(new FetchFault(resolved.failure), [])
      if (options.all === true) return answer(null, [...resolved.addresses])
      const first = resolved.addresses[0]
      return first ? answer(null, first.address, first.family) : answer(new Error('no address'), [])
    })
  }
}
