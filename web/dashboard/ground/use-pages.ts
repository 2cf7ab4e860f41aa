import type { Answer } from '../../ui/session/answers.ts'
import { useApp } from '../shell/app.ts'
import { useList } from './use-list.ts'
import type { ListState } from './use-list.ts'

/** Our choice: rows of a page. */
const PAGE = 50
/** The most rows that lists reach ([leads.paging.3]). */
export const MOST_ROWS = 10_000

/** A list of a number that the service gives by numbered pages ([leads.paging.1]). */
export interface PagedList {
  readonly path: string
  /** The id of the number. */
  readonly number: string
  /** Filters; those that are null are left out. */
  readonly query: Readonly<Record<string, string | null>>
  /** The field of the answer that has the rows. */
  readonly field: string
}

type Paged<Item> = Readonly<Record<string, readonly Item[]>>

/** Reads one page of a list, from 1 on. */
export function usePageReader<Item>({ path, number, query, field }: PagedList) {
  const { api } = useApp()
  return async (page: number, pageSize: number, signal?: AbortSignal): Promise<Answer<readonly Item[]>> => {
    const answer = await api.get<Paged<Item>>(path, {
      number,
      query: { ...query, page, pageSize },
      ...(signal === undefined ? {} : { signal }),
    })
    return answer.fault ? answer : { body: answer.body[field] ?? [] }
  }
}

/** A row with the page of the list that it stands on. */
type Row<Item> = Item & { readonly page: number }

/** Reads a list page by page, as `useList` does. */
export function usePages<Item>(list: PagedList): ListState<Row<Item>> {
  const read = usePageReader<Item>(list)
  return useList<Row<Item>>(
    {
      async read(before, signal) {
        const page = before === null ? 1 : Number(before)
        if (page * PAGE > MOST_ROWS) return { body: [] }
        const answer = await read(page, PAGE, signal)
        return answer.fault ? answer : { body: answer.body.map((item) => ({ ...item, page })) }
      },
      beforeOf: ({ page }) => String(page + 1),
      pageSize: PAGE,
    },
    [list.path, list.number, ...Object.values(list.query)],
  )
}
