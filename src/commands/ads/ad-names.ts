import { unlessAway } from '../../domain/store-away.ts'
import type { Timer } from '../../ports/clock.ts'
import type { Counter } from '../../ports/metrics.ts'
import type { TakenAd } from '../../ports/stores/ad-store.ts'
import { lookUpAd, type LookUp } from './look-up.ts'
import type { AdPorts } from './ports.ts'

/** Look-ups of one number at once, on all nodes [referrals.names.11]. */
const PER_NUMBER = 5
/** Our choice: look-ups of a node at once. */
const MOST = 50
/**
 * Our choice: enough for three tokens, each asked within the patience of the upstream's client. The ads of a node that
 * is gone wait for so long.
 */
const LEASE_MS = 120_000
/** Our choice: a retry further off than this is left to the turns that come by themselves. */
const SOON_MS = 60_000

/** Looks up the names of ads, many at once. A turn waits for no look-up. */
export class AdNamesSeeker {
  readonly #ports: AdPorts
  /** Counts by `outcome`: found, refused, throttled, failed, gave-up. */
  readonly #lookUps: Counter
  readonly #running = new Set<Promise<void>>()
  readonly #timers = new Set<Timer>()
  #isClosed = false

  constructor(ports: AdPorts) {
    this.#ports = ports
    this.#lookUps = ports.metrics.counter('ad_look_ups_total', 'Look-ups of the names of ads, by outcome.', ['outcome'])
  }

  /** Begins as many look-ups as there is room for. Each look-up that ends causes the next turn. */
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
      // Once its lease has run out, the ad is taken again.
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
    // It is null while the node closes. Once the lease has run out, another node takes the ad, or this one after its
    // next start.
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
        'the names of an ad could not be read upstream; they are asked for again at its next click',
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
