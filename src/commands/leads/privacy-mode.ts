import type { NumberId } from '../../domain/ids.ts'
import { readRetention } from '../../domain/retention.ts'
import type { Retention } from '../../domain/retention.ts'
import type { Timer } from '../../ports/clock.ts'
import type { LeadPorts } from './ports.ts'

/** After so long the mode counts as unreadable [leads.privacy.6]. */
const PATIENCE_MS = 2_000

/**
 * The retention of a number, for an answer about its leads; null when it cannot be read. Never throws, and answers
 * within 2 s.
 */
export type PrivacyMode = (numberId: NumberId) => Promise<Retention | null>

type Failure = 'error' | 'late' | 'unknown'

/**
 * Makes the reader of modes for answers about leads, which fail open ([leads.privacy.6]): each time a mode cannot be
 * read is counted and logged as a warning without personal data ([leads.privacy.7]).
 */
export function createPrivacyMode({ privacy, clock, log, metrics }: LeadPorts): PrivacyMode {
  const failed = metrics.counter(
    'privacy_check_failed_total',
    'Answers given unredacted, as the privacy mode of their number could not be read.',
    ['surface'],
  )
  const unreadable = (numberId: NumberId, reason: Failure): null => {
    failed.add({ surface: 'leads' })
    log.warn({ numberId, reason }, 'the privacy mode of a number could not be read; its leads were answered unredacted')
    return null
  }
  return async (numberId) => {
    let timer: Timer | null = null
    const late = new Promise<'late'>((resolve) => {
      timer = clock.after(PATIENCE_MS, () => resolve('late'))
    })
    const read = privacy.retentionOf(numberId).catch((): 'error' => 'error')
    const came = await Promise.race([read, late]).finally(() => timer?.cancel())
    if (came === 'late' || came === 'error') return unreadable(numberId, came)
    return (came && readRetention(came)) ?? unreadable(numberId, 'unknown')
  }
}
