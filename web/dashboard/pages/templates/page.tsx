import { TEMPLATE_STATUSES } from '../../../../src/domain/template.ts'
import type { words as english } from '../../../words/dashboard/templates/en.ts'
import type { Like } from '../../../words/language.ts'
import { SelectField } from '../../ground/form.tsx'
import { Listed } from '../../ground/listed.tsx'
import { NumberField, OfNumber } from '../../ground/of-number.tsx'
import { PageFrame } from '../../ground/page.tsx'
import { Badge, Time } from '../../ground/shown.tsx'
import { useLive } from '../../ground/use-live.ts'
import { usePages } from '../../ground/use-pages.ts'
import { useSettled } from '../../ground/use-settled.ts'
import { useApp } from '../../shell/app.ts'
import type { PageProps } from '../../shell/page-files.ts'
import { isOfTemplates, STANDING_TONES, standingOf, templatePath } from './template.ts'
import type { ListedTemplate } from './template.ts'

type Words = Like<typeof english>

/** Our choice, in ms: news of templates that come together are read once. */
const SETTLED_MS = 500

/** The templates that a number may send, with the state of each. */
export function Page({ words, query }: PageProps<Words>) {
  const { can } = useApp()
  const [status, number] = [query.get('status'), query.get('number')]
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
              <StatusField words={words} status={status} />
            </div>
            <Templates key={`${chosen.id} ${status}`} words={words} number={chosen.id} status={status} />
          </>
        )}
      </OfNumber>
    </PageFrame>
  )
}

function StatusField({ words, status }: { readonly words: Words; readonly status: string | null }) {
  const { router } = useApp()
  return (
    <SelectField
      label={words.status}
      name="officialStatus"
      value={status ?? ''}
      options={[
        { value: '', label: words.anyStatus },
        ...TEMPLATE_STATUSES.map((one) => ({ value: one, label: words.standings[one] })),
      ]}
      change={(value) => router.ask({ status: value === '' ? null : value })}
    />
  )
}

interface TemplatesProps {
  readonly words: Words
  readonly number: string
  readonly status: string | null
}

function Templates({ words, number, status }: TemplatesProps) {
  const list = usePages<ListedTemplate>({
    path: '/api/v1/templates',
    number,
    query: { officialStatus: status },
    field: 'templates',
  })
  const refresh = useSettled(list.again, SETTLED_MS)
  useLive({ event: (frame) => isOfTemplates(frame) && refresh() })
  return (
    <Listed
      of={list}
      none={status === null ? words.none : words.noneSuch}
      label={words.heading}
      columns={[words.name, words.category, words.language, words.changed, words.status]}
      hooksOf={(one) => ({ id: one.id, status: standingOf(one) })}
      row={(one) => cellsOf(one, words, number)}
    />
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
