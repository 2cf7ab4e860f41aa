import { useState } from 'preact/hooks'
import type { Answer, Fault } from '../../ui/session/answers.ts'
import { useApp } from '../shell/app.ts'
import { FaultLine } from './asked.tsx'
import { csvOf } from './csv.ts'
import { MOST_ROWS } from './use-pages.ts'

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
  read(page: number): Promise<Answer<readonly Item[]>>
}

/** A button that reads a list to its end and saves it as a file, which is made in the page. */
export function ExportCsv<Item>({ name, columns, cellsOf, furtherOf, read }: ExportProps<Item>) {
  const { words } = useApp()
  const [count, tell] = useState<number | null>(null)
  const [fault, fail] = useState<Fault | null>(null)
  async function run(): Promise<void> {
    fail(null)
    const all: Item[] = []
    for (let page = 1; all.length < MOST_ROWS; page += 1) {
      tell(all.length)
      const answer = await read(page)
      if (answer.fault) {
        tell(null)
        return fail(answer.fault)
      }
      all.push(...answer.body)
      if (answer.body.length < EXPORT_PAGE) break
    }
    tell(null)
    const further = furtherOf?.(all) ?? []
    const head = [...columns, ...further.map((column) => column.name)]
    const rows = all.map((item) => [...cellsOf(item), ...further.map(({ cellOf }) => cellOf(item))])
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

function save(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([UTF8_MARK, text], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
