import { PRODUCT_VERSION } from '../src/domain/version.ts'
import type { Clock } from '../src/ports/clock.ts'
import type { Log } from '../src/ports/log.ts'
import type { MediaHostEntry, MediaRegister } from '../src/ports/media-register.ts'
import { keepEntry } from '../src/register/keep-entry.ts'
import type { KeptEntry } from '../src/register/keep-entry.ts'
import type { RunningMediaHost } from './open-host.ts'

export interface RegisteringParts {
  readonly register: MediaRegister
  readonly host: Pick<RunningMediaHost, 'hostId' | 'publicUrl' | 'load'>
  /** The control URL under which gateways reach the host. */
  readonly controlUrl: string
  /** CPU time of this process so far, user and system, in ms. */
  readonly cpuMs: () => number
  readonly clock: Clock
  readonly log: Log
}

/** Keeps the host's entry in the register. */
export function registerHost(parts: RegisteringParts): KeptEntry {
  const { register, host, clock, log } = parts
  return keepEntry({ register, id: host.hostId, program: 'media host', describe: describer(parts), clock, log })
}

/** Makes entries; their CPU share is that since the last entry. */
function describer({ host, controlUrl, cpuMs, clock }: RegisteringParts): () => MediaHostEntry {
  let last = { atMs: clock.monotonicMs(), cpuMs: cpuMs() }
  return () => {
    const now = { atMs: clock.monotonicMs(), cpuMs: cpuMs() }
    const share = now.atMs > last.atMs ? (now.cpuMs - last.cpuMs) / (now.atMs - last.atMs) : 0
    last = now
    const { hostId, publicUrl } = host
    return {
      hostId,
      controlUrl,
      publicUrl,
      version: PRODUCT_VERSION,
      ...host.load(),
      cpu: Math.max(0, Math.round(share * 1_000) / 1_000),
    }
  }
}
