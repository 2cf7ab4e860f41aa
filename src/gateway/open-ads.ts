import { createAds } from '../commands/ads/ads.ts'
import type { AdsOf } from '../ports/official/pages.ts'
import type { Core } from './core.ts'
import type { Storage } from './open-storage.ts'

/**
 * Our choice: how often due ads are looked for, by one index read. This finds those of a node that is gone, and distant
 * retries. A click wakes the look.
 */
const LOOK_EVERY_MS = 30_000

interface AdNeeds extends Pick<Storage, 'stores' | 'onAds'> {
  readonly adsOf: AdsOf
}

/**
 * Opens the commands on ads, and the chore that reads their names. It is woken when a click, a lead or a token was
 * stored.
 */
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
