import { useState } from 'preact/hooks'
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

/** Why the privacy of the number keeps rows, or parts of them, back ([leads.privacy.4], [flows.responses.10]). */
export type Notice = 'PII_RELAY_ONLY' | 'PII_RETENTION_WINDOW'

/** A page of a list. */
export interface ReadPage<Item> {
  readonly items: readonly Item[]
  /** Null when nothing is kept back. */
  readonly notice: Notice | null
}

type Paged<Item> = { readonly notice?: Notice } & Readonly<Record<string, readonly Item[]>>

/** Reads one page of a list, from 1 on. */
export function usePageReader<Item>({ path, number, query, field }: PagedList) {
  const { api } = useApp()
  return async (page: number, pageSize: number, signal?: AbortSignal): Promise<Answer<ReadPage<Item>>> => {
    const answer = await api.get<Paged<Item>>(path, {
      number,
      query: { ...query, page, pageSize },
      ...(signal === undefined ? {} : { signal }),
    })
    return answer.fault ? answer : { body: { items: answer.body[field] ?? [], notice: answer.body.notice ?? null } }
  }
}

/** A row with the page of the list that it stands on. */
type Row<Item> = Item & { readonly page: number }

/** A list of numbered pages, with why something of it is kept back. */
export interface PagesState<Item> extends ListState<Row<Item>> {
  readonly notice: Notice | null
}

/** Reads a list page by page, as `useList` does. */
export function usePages<Item extends { readonly id: string }>(list: PagedList): PagesState<Item> {
  const read = usePageReader<Item>(list)
  const [notice, tell] = useState<Notice | null>(null)
  const rows = useList<Row<Item>>(
    {
      async read(before, signal) {
        const page = before === null ? 1 : Number(before)
        if (page * PAGE > MOST_ROWS) return { body: [] }
        const answer = await read(page, PAGE, signal)
        if (answer.fault) return answer
        tell((before) => answer.body.notice ?? (page === 1 ? null : before))
        return { body: answer.body.items.map((item) => ({ ...item, page })) }
      },
      beforeOf: ({ page }) => String(page + 1),
      pageSize: PAGE,
    },
    [list.path, list.number, ...Object.values(list.query)],
  )
  return { ...rows, notice }
}
