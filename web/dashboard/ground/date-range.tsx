import { useApp } from '../shell/app.ts'
import { TextField } from './form.tsx'

/** A range of dates, as lists take it ([leads.paging.4]); null where it is open. */
export interface Dates {
  readonly startDate: string | null
  readonly endDate: string | null
}

/** The range that the address names. */
export function datesIn(query: URLSearchParams): Dates {
  return { startDate: query.get('startDate'), endDate: query.get('endDate') }
}

/** The two fields of a range; the choice stands in the address. */
export function DateFields({ dates }: { readonly dates: Dates }) {
  const { words, router } = useApp()
  return (
    <>
      {(['startDate', 'endDate'] as const).map((name) => (
        <TextField
          key={name}
          type="date"
          label={words.dates[name]}
          name={name}
          value={dates[name] ?? ''}
          change={(value) => router.ask({ [name]: value === '' ? null : value })}
        />
      ))}
    </>
  )
}
