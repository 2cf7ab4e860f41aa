import { Empty } from '../../ground/asked.tsx'
import { List } from '../../ground/list.tsx'
import { Badge, NumberName } from '../../ground/shown.tsx'
import { StateBadge } from '../pairing/number-facts.tsx'
import type { ShownNumber } from '../pairing/number-facts.tsx'
import type { UsageWords } from './usage-words.ts'

const LEVEL_TONES = { ok: 'good', warning: 'warn', restricted: 'bad' } as const
const QUALITY_TONES: Readonly<Record<string, 'good' | 'warn' | 'bad'>> = { GREEN: 'good', YELLOW: 'warn', RED: 'bad' }

interface StandingProps {
  readonly words: UsageWords
  readonly numbers: readonly ShownNumber[]
}

/** How each number stands: its connection, how upstream or the device network rates it, and its limit. */
export function Standing({ words: { standing: words }, numbers }: StandingProps) {
  return (
    <section class="part" aria-labelledby="standing">
      <h2 id="standing">{words.heading}</h2>
      {numbers.length === 0 ? (
        <Empty text={words.none} />
      ) : (
        <List
          label={words.heading}
          items={numbers}
          columns={[words.number, words.state, words.quality, words.limit]}
          hooksOf={({ id, state }) => ({ id, state })}
          row={(number) => [
            <a key="name" class="link" href={`/dashboard/numbers/${encodeURIComponent(number.id)}`}>
              <NumberName name={number.name} number={number.number} />
            </a>,
            <StateBadge key="state" number={number} words={words} />,
            <Quality key="quality" words={words} number={number} />,
            <span key="limit" class={number.health.messagingLimitTier === null ? 'muted' : ''} data-tier>
              {number.health.messagingLimitTier ?? words.noLimit}
            </span>,
          ]}
        />
      )}
    </section>
  )
}

function Quality({
  words,
  number: { health },
}: {
  readonly words: UsageWords['standing']
  readonly number: ShownNumber
}) {
  const { level, qualityRating } = health
  if (qualityRating !== null) return <Badge tone={QUALITY_TONES[qualityRating] ?? 'calm'} text={qualityRating} />
  if (level !== null) return <Badge tone={LEVEL_TONES[level]} text={words.levels[level]} />
  return <span class="muted">{words.noQuality}</span>
}
