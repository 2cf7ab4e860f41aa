import { createAds } from '../commands/ads/ads.ts'
import type { AdsOf } from '../ports/official/pages.ts'
import type { Core } from './core.ts'
import type { Storage } from './open-storage.ts'

/**
 * Our choice: how often ads that are due are looked for, one index read: those that a node left that is gone, and
 * retries that are far off. A click wakes it.
 */
const LOOK_EVERY_MS = 30_000

interface AdNeeds extends Pick<Storage, 'stores' | 'onAds'> {
  readonly adsOf: AdsOf
}

/** Joins what can be done with ads; who finds out their names is woken by whoever stored a click, a lead or a token. */
export function openAds({ config, clock, log, metrics, upkeep, closing }: Core, { stores, adsOf, onAds }: AdNeeds) {
  const adsDue = (): void => chore.wake()
  const adCommands = createAds({ ...stores, adsOf, retryMs: config.ads.retryMs, adsDue, clock, log, metrics })
  const chore = upkeep.add({
    name: 'find-ad-names',
    everyMs: LOOK_EVERY_MS,
    isDueAtStart: true,
    run: adCommands.findNames,
  })
  closing.add('names of ads', adCommands.closed)
  onAds(adsDue)
  return { adCommands }
}
