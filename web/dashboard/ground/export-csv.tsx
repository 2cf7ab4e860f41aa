import { useState } from 'preact/hooks'
import type { Answer, Fault } from '../../ui/session/answers.ts'
import { useApp } from '../shell/app.ts'
import { FaultLine } from './asked.tsx'
import { csvOf } from './csv.ts'
import { MOST_ROWS } from './use-pages.ts'
import type { ReadPage } from './use-pages.ts'

/** Rows of a page while everything is read ([leads.paging.2]). */
export const EXPORT_PAGE = 100
/** Spreadsheets take a file for UTF-8 when it begins so. */
const UTF8_MARK = '\uFEFF'

interface Further<Item> {
  readonly name: string
  readonly cellOf: (item: Item) => string
}

interface ExportProps<Item> {
  /** The name of the file, without its ending. */
  readonly name: string
  readonly columns: readonly string[]
  readonly cellsOf: (item: Item) => readonly string[]
  /** Columns behind those, which depend on what was read. */
  furtherOf?(items: readonly Item[]): readonly Further<Item>[]
  /** Reads a page of `EXPORT_PAGE` rows, from 1 on. */
  read(page: number): Promise<Answer<ReadPage<Item>>>
}

/** Reads pages of a list that is there already. */
export function pagesOf<Item>(items: readonly Item[]): ExportProps<Item>['read'] {
  return async (page) => ({
    body: { items: items.slice((page - 1) * EXPORT_PAGE, page * EXPORT_PAGE), notice: null },
  })
}

/** A button that reads a list to its end and saves it as a file, which is made in the page. */
export function ExportCsv<Item extends { readonly id: string }>({
  name,
  columns,
  cellsOf,
  furtherOf,
  read,
}: ExportProps<Item>) {
  const { words } = useApp()
  const [count, tell] = useState<number | null>(null)
  const [fault, fail] = useState<Fault | null>(null)
  async function run(): Promise<void> {
    fail(null)
    const { items, fault: failed } = await readAll(read, tell)
    tell(null)
    if (failed !== undefined) return fail(failed)
    const further = furtherOf?.(items) ?? []
    const head = [...columns, ...further.map((column) => column.name)]
    const rows = items.map((item) => [...cellsOf(item), ...further.map(({ cellOf }) => cellOf(item))])
    save(`${name}.csv`, csvOf([head, ...rows]))
  }
  return (
    <>
      {fault !== null && <FaultLine fault={fault} />}
      <button
        type="button"
        class="button quiet"
        data-action="export"
        disabled={count !== null}
        onClick={() => void run()}
      >
        {count === null ? words.exports.save : words.exports.reading(count)}
      </button>
    </>
  )
}

/** Reads all pages; `tell` hears how many rows are there. */
async function readAll<Item extends { readonly id: string }>(
  read: ExportProps<Item>['read'],
  tell: (rows: number) => void,
): Promise<{ readonly items: readonly Item[]; readonly fault?: Fault }> {
  // By id: a row that comes meanwhile pushes others to the next page, which then tells them again.
  const all = new Map<string, Item>()
  for (let page = 1; page * EXPORT_PAGE <= MOST_ROWS; page += 1) {
    tell(all.size)
    const { body, fault } = await read(page)
    if (fault) return { items: [], fault }
    for (const item of body.items) all.set(item.id, item)
    if (body.items.length < EXPORT_PAGE) break
  }
  return { items: [...all.values()] }
}

function save(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([UTF8_MARK, text], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
