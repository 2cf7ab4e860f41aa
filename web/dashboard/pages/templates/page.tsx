import { TEMPLATE_STATUSES } from '../../../../src/domain/template.ts'
import type { words as english } from '../../../words/dashboard/templates/en.ts'
import type { Like } from '../../../words/language.ts'
import { Asked, Empty, FaultLine } from '../../ground/asked.tsx'
import { SelectField } from '../../ground/form.tsx'
import { List } from '../../ground/list.tsx'
import { useNumbers } from '../../ground/numbers.ts'
import type { ListedNumber } from '../../ground/numbers.ts'
import { PageFrame } from '../../ground/page.tsx'
import { Badge, Time } from '../../ground/shown.tsx'
import { useList } from '../../ground/use-list.ts'
import { useLive } from '../../ground/use-live.ts'
import { useSettled } from '../../ground/use-settled.ts'
import { useApp } from '../../shell/app.ts'
import type { PageProps } from '../../shell/page-files.ts'
import { isOfTemplates, STANDING_TONES, standingOf, templatePath } from './template.ts'
import type { ListedTemplate } from './template.ts'

type Words = Like<typeof english>

/** Our choice: templates of a page. */
const PAGE = 50
/** Our choice, in ms: news of templates that come together are read once. */
const SETTLED_MS = 500

/** The templates that a number may send, with the state of each. */
export function Page({ words, query }: PageProps<Words>) {
  const numbers = useNumbers()
  return (
    <PageFrame name="templates" heading={words.heading}>
      <Asked of={numbers}>
        {(all) => {
          const chosen = all.find(({ id }) => id === query.get('number')) ?? all[0]
          if (chosen === undefined)
            return (
              <Empty text={words.noNumber}>
                <a class="link" href="/dashboard/numbers">
                  {words.toNumbers}
                </a>
              </Empty>
            )
          const wanted = { number: chosen.id, status: query.get('status'), name: query.get('name') }
          return (
            <>
              <Filters words={words} numbers={all} wanted={wanted} />
              <Templates key={Object.values(wanted).join(' ')} words={words} wanted={wanted} />
            </>
          )
        }}
      </Asked>
    </PageFrame>
  )
}

interface Wanted {
  readonly number: string
  readonly status: string | null
  /** A part of the name. */
  readonly name: string | null
}

interface FiltersProps {
  readonly words: Words
  readonly numbers: readonly ListedNumber[]
  readonly wanted: Wanted
}

/** Which templates are listed; the choice stands in the address. */
function Filters({ words, numbers, wanted }: FiltersProps) {
  const { router } = useApp()
  return (
    <div class="filters">
      <SelectField
        label={words.number}
        name="number"
        value={wanted.number}
        options={numbers.map(({ id, name, number }) => ({ value: id, label: `${name} (+${number})` }))}
        change={(value) => router.ask({ number: value })}
      />
      <SelectField
        label={words.status}
        name="officialStatus"
        value={wanted.status ?? ''}
        options={[
          { value: '', label: words.anyStatus },
          ...TEMPLATE_STATUSES.map((status) => ({ value: status, label: words.standings[status] })),
        ]}
        change={(value) => router.ask({ status: value === '' ? null : value })}
      />
    </div>
  )
}

/** A listed template with the page of the list that it stands on. */
type Row = ListedTemplate & { readonly page: number }

function Templates({ words, wanted }: { readonly words: Words; readonly wanted: Wanted }) {
  const { api, words: ground } = useApp()
  const list = useList<Row>(
    {
      async read(before, signal) {
        const page = before === null ? 1 : Number(before)
        const answer = await api.get<{ readonly templates: readonly ListedTemplate[] }>('/api/v1/templates', {
          number: wanted.number,
          query: { page, pageSize: PAGE, officialStatus: wanted.status, name: wanted.name },
          signal,
        })
        return answer.fault ? answer : { body: answer.body.templates.map((one) => ({ ...one, page })) }
      },
      beforeOf: ({ page }) => String(page + 1),
      pageSize: PAGE,
    },
    [wanted.number, wanted.status, wanted.name],
  )
  const refresh = useSettled(list.again, SETTLED_MS)
  useLive({ event: (frame) => isOfTemplates(frame) && refresh() })
  if (list.items === null && list.fault === null)
    return (
      <div class="bone" aria-busy="true" role="status">
        <span class="unseen">{ground.loading}</span>
      </div>
    )
  return (
    <>
      {list.fault !== null && <FaultLine fault={list.fault} again={list.again} />}
      {list.items?.length === 0 && <Empty text={wanted.status === null ? words.none : words.noneSuch} />}
      {list.items !== null && list.items.length > 0 && (
        <List
          label={words.heading}
          items={list.items}
          columns={[words.name, words.category, words.language, words.changed, words.status]}
          hooksOf={(one) => ({ id: one.id, status: standingOf(one) })}
          row={(one) => cellsOf(one, words, wanted.number)}
          isLoadingMore={list.isLoadingMore}
          {...(list.hasMore ? { more: list.more } : {})}
        />
      )}
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
