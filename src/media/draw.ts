/** What is known of how busy a media host is. */
export interface HostLoad {
  /** Calls it holds or is about to, of all gateways as far as they are known. */
  readonly calls: number
  /** 99th percentile of how late its audio slots begin; 0 where it is not known. */
  readonly tickLateP99Ms: number
}

/** our choice: from here on a host is late, whatever it holds; hosts that shut at 10 ms open again below this. */
const LATE_MS = 6

/**
 * The better of two hosts drawn by chance (contract 20): gateways that all took the best one would overrun it together,
 * and two draws are nearly as even. One that is late is taken only against one that is late too; else fewer calls
 * decide, then lateness. `random` answers 0 to 1 as Math.random does. Null when there is none.
 */
export function drawHost<H extends { readonly load: HostLoad }>(hosts: readonly H[], random: () => number): H | null {
  const first = Math.floor(random() * hosts.length)
  const second = (first + 1 + Math.floor(random() * (hosts.length - 1))) % hosts.length
  const [one, other] = [hosts[first], hosts[second]]
  if (!one || !other) return one ?? null
  return isBetter(other.load, one.load) ? other : one
}

function isBetter(a: HostLoad, b: HostLoad): boolean {
  const [isALate, isBLate] = [a.tickLateP99Ms >= LATE_MS, b.tickLateP99Ms >= LATE_MS]
  if (isALate !== isBLate) return isBLate
  return a.calls === b.calls ? a.tickLateP99Ms < b.tickLateP99Ms : a.calls < b.calls
}
