import { SelectField } from '../../ground/form.tsx'
import { useApp } from '../../shell/app.ts'
import type { LeadsWords, ListedLead } from './lead.ts'

/** What the list can be narrowed by, besides dates, as the service names it ([leads.routes.1]). */
export const FILTERS = ['pageId', 'formId', 'adId'] as const
type Filter = (typeof FILTERS)[number]
/** The chosen ids; null where the list is not narrowed. */
export type Filters = Readonly<Record<Filter, string | null>>
/** The names of Pages, forms and ads that were seen in leads, by id. */
export type Seen = Readonly<Record<Filter, Readonly<Record<string, string>>>>

export const NOTHING_SEEN: Seen = { pageId: {}, formId: {}, adId: {} }

/** The filters that the address names. */
export function filtersIn(query: URLSearchParams): Filters {
  return { pageId: query.get('pageId'), formId: query.get('formId'), adId: query.get('adId') }
}

function nameIn(lead: ListedLead, filter: Filter): string | null {
  return { pageId: lead.pageName, formId: lead.formName, adId: lead.adName }[filter]
}

/** Adds what leads tell of; the same object when they tell nothing new. */
export function withSeen(seen: Seen, leads: readonly ListedLead[]): Seen {
  let next = seen
  for (const lead of leads)
    for (const filter of FILTERS) {
      const id = lead[filter]
      if (id === null) continue
      const name = nameIn(lead, filter) ?? id
      const known = next[filter][id]
      if (known === undefined || (known === id && name !== id))
        next = { ...next, [filter]: { ...next[filter], [id]: name } }
    }
  return next
}

interface FieldsProps {
  readonly words: LeadsWords
  readonly filters: Filters
  readonly seen: Seen
}

/**
 * The fields that narrow the list; the choice stands in the address. They offer what was seen in leads so far, because
 * no role but those that manage leads may list Pages and forms.
 */
export function FilterFields({ words, filters, seen }: FieldsProps) {
  const { router } = useApp()
  return (
    <>
      {FILTERS.map((filter) => {
        const chosen = filters[filter]
        const known = { ...(chosen === null ? {} : { [chosen]: chosen }), ...seen[filter] }
        return (
          <SelectField
            key={filter}
            label={words.filters[filter]}
            name={filter}
            value={chosen ?? ''}
            options={[
              { value: '', label: words.any[filter] },
              ...Object.entries(known).map(([value, label]) => ({ value, label })),
            ]}
            change={(value) => router.ask({ [filter]: value === '' ? null : value })}
          />
        )
      })}
    </>
  )
}

/** The name of a Page, a form or an ad, which narrows the list to it. */
export function Only({
  filter,
  id,
  name,
  words,
}: {
  readonly filter: Filter
  readonly id: string
  readonly name: string
  readonly words: LeadsWords
}) {
  const { router } = useApp()
  return (
    <button
      type="button"
      class="as-link"
      data-only={filter}
      title={words.only(name)}
      onClick={() => router.ask({ [filter]: id })}
    >
      <bdi>{name}</bdi>
    </button>
  )
}
