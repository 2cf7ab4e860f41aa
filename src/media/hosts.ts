import { chance } from '../domain/randomness.ts'
import type { Clock } from '../ports/clock.ts'
import type { MediaHostEntry } from '../ports/media-register.ts'
import type { Gauge } from '../ports/metrics.ts'
import { drawHost } from './draw.ts'
import type { HostLoad } from './draw.ts'
import { type HostLink, LINK_WAIT_MS } from './host-link.ts'
import type { Placements } from './placements.ts'

export interface MediaHostAddress {
  /** ws: or wss: URL of the host's control socket. */
  readonly controlUrl: string
}

/** A media host as this gateway sees it. */
export interface MediaHostView {
  readonly controlUrl: string
  /** Null until it was in step once. */
  readonly hostId: string | null
  /** The beginning of its realtime URLs; null while it is not known. */
  readonly publicUrl: string | null
  readonly isConnected: boolean
  /** Its calls: those of all gateways when the host registers, else those of this one. */
  readonly calls: number
  readonly isDraining: boolean
}

/** What a host last registered, and the order of the last call that was placed before. */
interface Report {
  readonly entry: MediaHostEntry
  readonly order: number
}

export interface HostsDeps {
  readonly placements: Pick<Placements, 'lastOrder' | 'loadOf' | 'heldBy'>
  readonly connected: Gauge
  readonly clock: Clock
  /** True when `useRegistered` brings more hosts: the first one is waited for as one that is away. */
  readonly areHostsRegistered?: boolean
  /** Gives 0 to 1; `chance` when unset. */
  readonly random?: () => number
  /** Begins to connect to a host. */
  open(controlUrl: string): HostLink
  /** Tells that a host is left, with the calls that it still holds. */
  left(link: HostLink): void
}

/** The media hosts of this gateway: which there are, which are about to be left, and which one a new call goes to. */
export class Hosts {
  readonly #deps: HostsDeps
  readonly #links = new Map<string, HostLink>()
  readonly #leaving = new Set<HostLink>()
  readonly #reports = new Map<HostLink, Report>()
  /** Searches that wait for a host to connect. */
  readonly waiting = new Set<() => void>()

  constructor(deps: HostsDeps) {
    this.#deps = deps
  }

  links(): HostLink[] {
    return [...this.#links.values()]
  }

  /** True when at least one is connected and in step. */
  isAvailable(): boolean {
    return this.links().some((link) => link.isReady && !this.#leaving.has(link))
  }

  /** See MediaClient.useHosts. */
  use(hosts: readonly MediaHostAddress[]): void {
    const wanted = new Set(hosts.map((host) => host.controlUrl))
    for (const [url, link] of this.#links) if (!wanted.has(url)) this.#leaving.add(link)
    for (const url of wanted) {
      const known = this.#links.get(url)
      if (known) this.#leaving.delete(known)
      else this.#links.set(url, this.#deps.open(url))
    }
    this.leaveIdle()
  }

  /** See MediaClient.useRegistered. */
  useRegistered(entries: readonly MediaHostEntry[], isWhole: boolean): void {
    const order = this.#deps.placements.lastOrder
    for (const entry of entries) {
      const link = this.#links.get(entry.controlUrl) ?? this.#deps.open(entry.controlUrl)
      this.#links.set(entry.controlUrl, link)
      // A host that was started again stands in the register twice until its former entry runs out.
      if (!link.isReady || link.hostId === entry.hostId) this.#reports.set(link, { entry, order })
    }
    const named = new Set(entries.map(({ controlUrl }) => controlUrl))
    for (const [url, link] of this.#links) {
      if (named.has(url)) continue
      this.#reports.delete(link)
      if (isWhole && !link.isReady) this.#forget(url, link)
    }
  }

  list(): MediaHostView[] {
    return [...this.#links].map(([controlUrl, link]) => ({
      controlUrl,
      hostId: link.hostId,
      publicUrl: link.publicUrl,
      isConnected: link.isReady,
      calls: this.#loadOf(link).calls,
      isDraining: this.#isDraining(link),
    }))
  }

  stop(): void {
    for (const link of this.#links.values()) link.stop()
    this.#links.clear()
    this.#deps.connected.set(0)
    for (const wake of this.waiting) wake()
  }

  /** Tells those who wait that a host is in step. */
  connected(): void {
    this.count()
    for (const wake of this.waiting) wake()
  }

  /** Tells metrics how many are in step. */
  count(): void {
    this.#deps.connected.set(this.links().filter((link) => link.isReady).length)
  }

  /**
   * Draws the better of two hosts. Registered hosts come first, since the calls of other gateways on them are known.
   */
  draw(tried: ReadonlySet<HostLink>): HostLink | null {
    const able = this.links().filter(
      (link) => link.isReady && !tried.has(link) && !this.#leaving.has(link) && !this.#isDraining(link),
    )
    const reported = able.filter((link) => this.#reports.has(link))
    const loadOf = (link: HostLink) => this.#loadOf(link)
    // The load is counted only for the two hosts that are drawn, since it takes a walk over all calls.
    const drawn = drawHost(
      (reported.length > 0 ? reported : able).map((link) => ({
        link,
        get load() {
          return loadOf(link)
        },
      })),
      this.#deps.random ?? chance,
    )
    return drawn?.link ?? null
  }

  /** Waits a little while no host is connected. */
  some(): Promise<void> {
    return new Promise((resolve) => {
      if (this.isAvailable() || (this.#links.size === 0 && this.#deps.areHostsRegistered !== true)) {
        resolve()
        return
      }
      const wake = (): void => {
        timer.cancel()
        this.waiting.delete(wake)
        resolve()
      }
      const timer = this.#deps.clock.after(LINK_WAIT_MS, wake)
      this.waiting.add(wake)
    })
  }

  /** Leaves hosts that are no longer listed and hold no call. */
  leaveIdle(): void {
    const { placements } = this.#deps
    for (const [url, link] of this.#links) {
      if (!this.#leaving.has(link) || placements.heldBy(link).length > 0 || placements.loadOf(link) > 0) continue
      this.#reports.delete(link)
      this.#forget(url, link)
    }
  }

  /**
   * Counts the calls that a host registered and those placed there since; or those of this node, when the host
   * registers none or fewer.
   */
  #loadOf(link: HostLink): HostLoad {
    const { placements } = this.#deps
    const own = placements.loadOf(link)
    const report = this.#reports.get(link)
    const tickLateP99Ms = link.load?.tickLateP99Ms ?? report?.entry.tickLateP99Ms ?? 0
    return {
      calls: report ? Math.max(own, report.entry.calls + placements.loadOf(link, report.order)) : own,
      tickLateP99Ms,
    }
  }

  #isDraining(link: HostLink): boolean {
    return link.load?.draining === true || this.#reports.get(link)?.entry.draining === true
  }

  #forget(url: string, link: HostLink): void {
    this.#deps.left(link)
    this.#links.delete(url)
    this.#leaving.delete(link)
    link.stop()
    this.count()
  }
}
