import { betterOfTwo } from '../domain/better-of-two.ts'

/** What is known of how busy a media host is. */
export interface HostLoad {
  /** Calls that it holds or is about to hold, of all gateways as far as they are known. */
  readonly calls: number
  /** The 99th percentile of how late its audio slots begin, in ms; 0 when unknown. */
  readonly tickLateP99Ms: number
}

/** our choice: a host this late counts as late, whatever it holds. A host that shut at 10 ms opens again below this. */
const LATE_MS = 6

/**
 * Draws two hosts by chance and gives the better one ([media-hosts.placement.1]). A late host is taken only against
 * another late one; otherwise fewer calls decide, then lateness. `random` gives 0 to 1, without 1. Null when
 * there is no host.
 */
export function drawHost<H extends { readonly load: HostLoad }>(hosts: readonly H[], random: () => number): H | null {
  return betterOfTwo(hosts, (one, than) => isBetter(one.load, than.load), random)
}

function isBetter(a: HostLoad, b: HostLoad): boolean {
  const [isALate, isBLate] = [a.tickLateP99Ms >= LATE_MS, b.tickLateP99Ms >= LATE_MS]
  if (isALate !== isBLate) return isBLate
  return a.calls === b.calls ? a.tickLateP99Ms < b.tickLateP99Ms : a.calls < b.calls
}
