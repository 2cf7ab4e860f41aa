import { unlessAway } from '../../domain/store-away.ts'
import type { Timer } from '../../ports/clock.ts'
import type { Counter } from '../../ports/metrics.ts'
import type { TakenAd } from '../../ports/stores/ad-store.ts'
import { lookUpAd, type LookUp } from './look-up.ts'
import type { AdPorts } from './ports.ts'

/** contract 13, Names: look-ups of a number at once, on all nodes. */
const PER_NUMBER = 5
/** Our choice: look-ups of a node at once. */
const MOST = 50
/**
 * Our choice: three tokens, each asked within the patience of the upstream's client; a node that is gone leaves its ads
 * for so long.
 */
const LEASE_MS = 120_000
/** Our choice: a retry that far off is left to the turns that come by themselves. */
const SOON_MS = 60_000

/** Finds out the names of ads that are asked for, many at once: a turn waits for none of them. */
export class AdNamesSeeker {
  readonly #ports: AdPorts
  /** By `outcome`: found, refused, throttled, failed, gave-up. */
  readonly #lookUps: Counter
  readonly #running = new Set<Promise<void>>()
  readonly #timers = new Set<Timer>()
  #isClosed = false

  constructor(ports: AdPorts) {
    this.#ports = ports
    this.#lookUps = ports.metrics.counter('ad_look_ups_total', 'Look-ups of the names of ads, by outcome.', ['outcome'])
  }

  /** Begins as many look-ups as there is room for. Whatever ends gives the next turn. */
  async turn(): Promise<void> {
    const room = MOST - this.#running.size
    if (room <= 0 || this.#isClosed) return
    for (const ad of await this.#ports.ads.take(room, PER_NUMBER, LEASE_MS)) this.#begin(ad)
  }

  /** Waits for the requests under way. Idempotent. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const timer of this.#timers) timer.cancel()
    await Promise.all(this.#running)
  }

  #begin(ad: TakenAd): void {
    const { log, adsDue } = this.#ports
    const work = this.#ask(ad)
      // Its lease brings it back.
      .catch((error: unknown) =>
        unlessAway(error, () =>
          log.error({ numberId: ad.numberId, adId: ad.adId, error: String(error) }, 'an ad was not looked up'),
        ),
      )
      .then(() => {
        this.#running.delete(work)
        if (!this.#isClosed) adsDue()
      })
    this.#running.add(work)
  }

  async #ask(ad: TakenAd): Promise<void> {
    const { ads } = this.#ports
    const answer = await lookUpAd(this.#ports, ad, () => !this.#isClosed)
    // Its lease brings it back, to another node or after the next start.
    if (answer === null) return
    this.#lookUps.add({ outcome: answer.kind === 'again' ? answer.reason : answer.kind })
    if (answer.kind === 'found') return ads.resolved(ad, answer.names)
    return answer.kind === 'refused' ? ads.refused(ad) : this.#again(ad, answer)
  }

  async #again(ad: TakenAd, { waitMs }: LookUp & { readonly kind: 'again' }): Promise<void> {
    const { ads, clock, log, retryMs } = this.#ports
    const scheduledMs = retryMs[ad.tries]
    if (scheduledMs === undefined) {
      this.#lookUps.add({ outcome: 'gave-up' })
      log.warn(
        { numberId: ad.numberId, adId: ad.adId },
        'the names of an ad were not to be had: the next click asks again',
      )
      return ads.giveUp(ad)
    }
    const inMs = Math.max(scheduledMs, waitMs ?? 0)
    await ads.postpone(ad, new Date(clock.now() + inMs))
    if (inMs <= SOON_MS) this.#wakeIn(inMs)
  }

  #wakeIn(inMs: number): void {
    if (this.#isClosed) return
    const timer = this.#ports.clock.after(inMs, () => {
      this.#timers.delete(timer)
      this.#ports.adsDue()
    })
    this.#timers.add(timer)
  }
}
