import { useState } from 'preact/hooks'
import { DateFields, datesIn } from '../../ground/date-range.tsx'
import { NumberField, OfNumber } from '../../ground/of-number.tsx'
import { PageFrame } from '../../ground/page.tsx'
import type { PageProps } from '../../shell/page-files.ts'
import { AdAccess } from './ad-access.tsx'
import type { AdsWords } from './ad.ts'
import { Ads } from './ads.tsx'

/** The conversations that each ad or post began with a number, and whose names of ads it may read. */
export function Page({ words, query }: PageProps<AdsWords>) {
  const dates = datesIn(query)
  const [shares, share] = useState(0)
  return (
    <PageFrame name="ads" heading={words.heading}>
      <OfNumber wanted={query.get('number')}>
        {(chosen, all) => (
          <>
            <div class="filters">
              <NumberField chosen={chosen} all={all} drops={['ad']} />
              <DateFields dates={dates} />
            </div>
            <Ads
              key={[chosen.id, ...Object.values(dates)].join(' ')}
              words={words}
              number={chosen.id}
              dates={dates}
              open={query.get('ad')}
              shares={shares}
            />
            <AdAccess
              key={`access ${chosen.id}`}
              words={words}
              number={chosen}
              shared={() => share((now) => now + 1)}
            />
          </>
        )}
      </OfNumber>
    </PageFrame>
  )
}
