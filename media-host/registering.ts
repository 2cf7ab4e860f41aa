import { hostname } from 'node:os'
import { isLoopback } from '../src/domain/loopback.ts'
import { PRODUCT_VERSION } from '../src/domain/version.ts'
import type { Clock, Timer } from '../src/ports/clock.ts'
import type { Log } from '../src/ports/log.ts'
import type { MediaHostEntry, MediaRegister } from '../src/ports/media-register.ts'
import { REGISTER_EVERY_MS } from '../src/ports/register.ts'
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

/** The host's entry in the register. */
export interface Registering {
  /** Writes the entry now, because a change should not wait. */
  tell(): void
  /** Removes the entry. Never rejects. */
  withdraw(): Promise<void>
}

/** Writes the host's entry now and every 2 s. A failure is logged once, and its end once. */
export function registerHost(parts: RegisteringParts): Registering {
  const { register, clock, log } = parts
  const describe = describer(parts)
  let timer: Timer | null = null
  let isAway = false
  let isWithdrawn = false

  async function put(): Promise<void> {
    timer = clock.after(REGISTER_EVERY_MS, () => void put())
    try {
      await register.put(describe())
      if (isAway) log.info({}, 'registered again with the gateways')
      isAway = false
    } catch (error) {
      if (!isAway)
        log.warn(
          { error: error instanceof Error ? error.message : 'unknown' },
          'cannot register with the gateways; those that know this media host go on',
        )
      isAway = true
    }
    // A write that was under way during the removal has put the entry back.
    if (isWithdrawn) await register.remove(parts.host.hostId).catch(() => {})
  }

  void put()
  return {
    tell() {
      timer?.cancel()
      if (!isWithdrawn) void put()
    },
    async withdraw() {
      isWithdrawn = true
      timer?.cancel()
      await register.remove(parts.host.hostId).catch(() => {})
    },
  }
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

/**
 * The address of the control socket for gateways: the configured one, or the name of this machine. A socket bound to
 * loopback is reachable only from this machine, and only by that address.
 */
export function advertisedControl(configured: string | null, controlHost: string, port: number): string {
  const url = configured ?? `ws://${isLoopback(controlHost) ? inUrl(controlHost) : hostname()}:{port}/control`
  return url.replaceAll('{port}', String(port))
}

function inUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}
