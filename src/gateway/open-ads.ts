import { AdNamesSeeker } from '../commands/ads/ad-names.ts'
import type { AdsOf } from '../ports/official/pages.ts'
import type { Stores } from '../storage/stores.ts'
import type { Core } from './core.ts'
import type { Storage } from './open-storage.ts'

/**
 * Our choice: how often ads that are due are looked for, one index read: those that a node left that is gone, and
 * retries that are far off. A click wakes it.
 */
const LOOK_EVERY_MS = 30_000

interface AdNeeds extends Pick<Storage, 'onAds'> {
  readonly stores: Pick<Stores, 'ads' | 'official' | 'leadPages'>
  readonly adsOf: AdsOf
}

/** Joins what finds out the names of ads: woken by whoever stored a click, a lead or a token. */
export function openAds(
  { config, clock, log, metrics, upkeep, closing }: Core,
  { stores: { ads, official, leadPages }, adsOf, onAds }: AdNeeds,
): void {
  const seeker = new AdNamesSeeker({
    ads,
    official,
    leadPages,
    adsOf,
    clock,
    log,
    retryMs: config.ads.retryMs,
    lookUps: metrics.counter('ad_look_ups_total', 'Look-ups of the names of ads, by outcome.', ['outcome']),
    wake: () => chore.wake(),
  })
  const chore = upkeep.add({
    name: 'find-ad-names',
    everyMs: LOOK_EVERY_MS,
    isDueAtStart: true,
    run: () => seeker.turn(),
  })
  closing.add('names of ads', () => seeker.close())
  onAds(() => chore.wake())
}
