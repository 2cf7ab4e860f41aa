import { faulty, read } from '../fault.ts'
import type { Fault, Read } from '../fault.ts'
import type { Maybe } from '../send-body.ts'
import { repeats } from './repeats.ts'

/** [message-verbs.modes.3]: rows of a list at most, over all its sections. */
export const LIST_ROWS = 10

export interface ListBody {
  readonly text: string
  /** Label of the button that opens the list. */
  readonly button: string
  readonly header?: Maybe<string>
  readonly footer?: Maybe<string>
  readonly sections: readonly {
    readonly title?: Maybe<string>
    readonly rows: readonly { readonly id: string; readonly title: string; readonly description?: Maybe<string> }[]
  }[]
}

export interface ListSection {
  readonly title?: string
  readonly rows: readonly { readonly id: string; readonly title: string; readonly description?: string }[]
}

export interface ListMode {
  readonly mode: 'list'
  readonly list: {
    readonly text: string
    readonly button: string
    readonly header?: string
    readonly footer?: string
    readonly sections: readonly ListSection[]
  }
}

interface PlacedRow {
  readonly path: string
  readonly id: string
  readonly title: string
}

/** Reads a list. Upstream wants a title of each section where there are several. */
export function readList({ text, button, header, footer, sections }: ListBody): Read<ListMode> {
  const rows: readonly PlacedRow[] = sections.flatMap((section, at) =>
    section.rows.map(({ id, title }, nth) => ({ path: `list.sections.${at}.rows.${nth}`, id, title })),
  )
  const faults: Fault[] = [
    ...(rows.length > LIST_ROWS
      ? [{ path: 'list.sections', message: `must have at most ${LIST_ROWS} rows together` }]
      : []),
    ...untitled(sections),
    ...repeats(rows, ({ title }) => title.trim(), 'title', 'the titles of the other rows'),
    ...repeats(rows, ({ id }) => id, 'id', 'the ids of the other rows'),
  ]
  if (faults.length > 0) return faulty(...faults)
  const around = { ...(header ? { header } : {}), ...(footer ? { footer } : {}) }
  return read({ mode: 'list', list: { text, button, ...around, sections: sections.map(sectionOf) } })
}

function sectionOf({ title, rows }: ListBody['sections'][number]): ListSection {
  return {
    ...(title ? { title } : {}),
    rows: rows.map(({ id, title: label, description }) => ({
      id,
      title: label,
      ...(description ? { description } : {}),
    })),
  }
}

function untitled(sections: ListBody['sections']): Fault[] {
  if (sections.length === 1) return []
  return sections.flatMap(({ title }, at) =>
    title ? [] : [{ path: `list.sections.${at}.title`, message: 'is needed where there are several sections' }],
  )
}

/** The list in words, its rows numbered from 1 over all sections, for a network that shows no lists. */
export function listInWords({ text, header, footer, sections }: ListMode['list']): string {
  let number = 0
  const parts = sections.map(({ title, rows }) =>
    [
      ...(title === undefined ? [] : [title]),
      ...rows.map((row) => {
        number++
        return `${number}. ${row.title}${row.description === undefined ? '' : `: ${row.description}`}`
      }),
    ].join('\n'),
  )
  return [header, text, ...parts, footer].filter((part) => part !== undefined).join('\n\n')
}
