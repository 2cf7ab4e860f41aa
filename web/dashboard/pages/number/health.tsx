import { Badge } from '../../ground/shown.tsx'
import type { Tone } from '../../ground/shown.tsx'
import type { ShownNumber } from '../pairing/number-facts.tsx'
import type { NumberWords } from './number-words.ts'

const TONES: Readonly<Record<'ok' | 'warning' | 'restricted', Tone>> = {
  ok: 'good',
  warning: 'warn',
  restricted: 'bad',
}

interface HealthProps {
  readonly words: NumberWords
  readonly number: ShownNumber
}

/** How upstream rates the number ([numbers.object.6]); nothing while nobody said so. */
export function Health({ words, number: { health, official } }: HealthProps) {
  const { health: names } = words
  if (official === null && health.level === null) return null
  return (
    <section class="card" aria-labelledby="health">
      <h2 id="health">{names.heading}</h2>
      <dl class="facts">
        {official !== null ? (
          <>
            <dt>{names.quality}</dt>
            <dd data-quality>{health.qualityRating ?? names.unknown}</dd>
            <dt>{names.tier}</dt>
            <dd data-tier>{health.messagingLimitTier ?? names.unknown}</dd>
            <dt>{names.status}</dt>
            <dd>{health.officialStatus ?? names.unknown}</dd>
            <dt>{names.sendable}</dt>
            <dd>{health.sendable ? names.yes : names.no}</dd>
          </>
        ) : (
          health.level !== null && (
            <>
              <dt>{names.level}</dt>
              <dd>
                <Badge tone={TONES[health.level]} text={names.levels[health.level]} /> <bdi>{health.text ?? ''}</bdi>
              </dd>
            </>
          )
        )}
      </dl>
    </section>
  )
}
