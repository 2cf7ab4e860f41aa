import { kindOf } from '../../../../src/domain/kinds/kinds.ts'
import { isReviewed } from '../../../../src/domain/template.ts'
import { Listed } from '../../ground/listed.tsx'
import type { ListedNumber } from '../../ground/numbers.ts'
import { NumberField, OfNumber } from '../../ground/of-number.tsx'
import { PageFrame } from '../../ground/page.tsx'
import { Badge, Time } from '../../ground/shown.tsx'
import { Sync } from '../../ground/sync.tsx'
import { useLive } from '../../ground/use-live.ts'
import { usePages } from '../../ground/use-pages.ts'
import { useSettled } from '../../ground/use-settled.ts'
import { useApp } from '../../shell/app.ts'
import type { PageProps } from '../../shell/page-files.ts'
import { FilterFields, filtersIn } from './filters.tsx'
import type { Filters } from './filters.tsx'
import { isOfTemplates, STANDING_TONES, standingOf, templatePath } from './template.ts'
import type { ListedTemplate, Words } from './template.ts'

/** The templates that a number may send, with the state of each. */
export function Page({ words, query }: PageProps<Words>) {
  const { can } = useApp()
  const number = query.get('number')
  const filters = filtersIn(query)
  const begin = (
    <a
      class="button primary"
      data-action="new"
      href={`/dashboard/templates/new${number === null ? '' : `?number=${encodeURIComponent(number)}`}`}
    >
      {words.add}
    </a>
  )
  return (
    <PageFrame name="templates" heading={words.heading} actions={can('templates:manage') && begin}>
      <OfNumber wanted={number}>
        {(chosen, all) => (
          <>
            <div class="filters">
              <NumberField chosen={chosen} all={all} />
              <FilterFields words={words} filters={filters} />
            </div>
            <Templates
              key={[chosen.id, ...Object.values(filters)].join(' ')}
              words={words}
              number={chosen}
              filters={filters}
            />
          </>
        )}
      </OfNumber>
    </PageFrame>
  )
}

interface TemplatesProps {
  readonly words: Words
  readonly number: ListedNumber
  readonly filters: Filters
}

function Templates({ words, number, filters }: TemplatesProps) {
  const { can } = useApp()
  const { status, category, name } = filters
  const list = usePages<ListedTemplate>({
    path: '/api/v1/templates',
    number: number.id,
    query: { officialStatus: status, category, name },
    field: 'templates',
  })
  const refresh = useSettled(list.again)
  useLive({ event: (frame) => isOfTemplates(frame) && refresh() })
  const isAsked = can('templates:manage') && isReviewed(kindOf(number).templates)
  return (
    <>
      {isAsked && <Sync path="/api/v1/templates/sync" number={number.id} words={words} done={list.again} />}
      <Listed
        of={list}
        none={Object.values(filters).every((value) => value === null) ? words.none : words.noneSuch}
        label={words.heading}
        columns={[words.name, words.category, words.language, words.changed, words.status]}
        hooksOf={(one) => ({ id: one.id, status: standingOf(one) })}
        row={(one) => cellsOf(one, words, number.id)}
      />
    </>
  )
}

function cellsOf(one: ListedTemplate, words: Words, number: string) {
  const standing = standingOf(one)
  return [
    <div key="name">
      <a class="link" href={templatePath(one, number)}>
        <bdi>{one.name}</bdi>
      </a>
      {one.statusReason !== null && (
        <div class="muted" lang="en">
          <bdi>{one.statusReason}</bdi>
        </div>
      )}
    </div>,
    <span key="category">{words.categories[one.category]}</span>,
    <span key="language" dir="ltr">
      {one.language}
    </span>,
    <Time key="changed" at={one.updatedAt} />,
    <Badge key="status" tone={STANDING_TONES[standing]} text={words.standings[standing]} />,
  ]
}
