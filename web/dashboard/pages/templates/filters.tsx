import { useRef } from 'preact/hooks'
import { TEMPLATE_CATEGORIES, TEMPLATE_STATUSES } from '../../../../src/domain/template.ts'
import { SelectField, TextField } from '../../ground/form.tsx'
import { useSettled } from '../../ground/use-settled.ts'
import { useApp } from '../../shell/app.ts'
import type { Words } from './template.ts'

/** What the list is narrowed by ([templates.routes.3]); null where it is not. */
export interface Filters {
  readonly status: string | null
  readonly category: string | null
  /** A part of the name. */
  readonly name: string | null
}

/** The filters that the address names. */
export function filtersIn(query: URLSearchParams): Filters {
  return { status: query.get('status'), category: query.get('category'), name: query.get('name') }
}

/** Our choice, in ms: what is typed is looked for once the person pauses. */
const PAUSE_MS = 400

/** The fields of the filters; the choice stands in the address. */
export function FilterFields({ words, filters }: { readonly words: Words; readonly filters: Filters }) {
  const { router } = useApp()
  const typed = useRef('')
  const look = useSettled(() => router.ask({ name: typed.current.trim() || null }), PAUSE_MS)
  return (
    <>
      <SelectField
        label={words.status}
        name="officialStatus"
        value={filters.status ?? ''}
        options={[
          { value: '', label: words.anyStatus },
          ...TEMPLATE_STATUSES.map((one) => ({ value: one, label: words.standings[one] })),
        ]}
        change={(value) => router.ask({ status: value || null })}
      />
      <SelectField
        label={words.category}
        name="category"
        value={filters.category ?? ''}
        options={[
          { value: '', label: words.anyCategory },
          ...TEMPLATE_CATEGORIES.map((one) => ({ value: one, label: words.categories[one] })),
        ]}
        change={(value) => router.ask({ category: value || null })}
      />
      <TextField
        label={words.name}
        name="name"
        value={filters.name ?? ''}
        change={(value) => {
          typed.current = value
          look()
        }}
      />
    </>
  )
}
