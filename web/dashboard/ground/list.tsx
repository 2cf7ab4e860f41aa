import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { VirtualList } from '../../ui/virtual-list.tsx'
import { useApp } from '../shell/app.ts'

/** Our choice: from this many rows on, only the visible ones are drawn. */
const VIRTUAL_FROM = 200

/** The stable hooks of a row ([dashboard.hooks.3]). */
export interface RowHooks {
  readonly id: string
  readonly state?: string
  readonly status?: string
  /** The id of a log item, which rows of logs have besides ([dashboard.hooks.4]). */
  readonly log?: string
}

export interface ListProps<Item> {
  /** What the list is, for screen readers. */
  readonly label: string
  readonly items: readonly Item[]
  readonly hooksOf: (item: Item) => RowHooks
  /** The cells of a row; each direct child is one, the first one leads. */
  readonly row: (item: Item) => ComponentChildren
  /** The names of the columns, shown where there is room for columns; the number of cells is theirs. */
  readonly columns?: readonly string[]
  /** Reads older rows; absent when there are none. */
  more?(): void
  readonly isLoadingMore?: boolean
}

/** A list of rows. It reads older ones when its end comes into sight, and draws long lists only where they are seen. */
export function List<Item>({ label, items, hooksOf, row, columns, more, isLoadingMore }: ListProps<Item>) {
  const isVirtual = items.length >= VIRTUAL_FROM
  const end = more === undefined ? null : <More key="more" more={more} isLoading={isLoadingMore ?? false} />
  const drawn = (item: Item) => <Row key={hooksOf(item).id} hooks={hooksOf(item)} cells={row(item)} />
  return (
    <div class={isVirtual ? 'list virtual' : 'list'} data-columns={columns?.length}>
      {columns !== undefined && (
        <div class="row columns" aria-hidden="true">
          {columns.map((column) => (
            <span key={column}>{column}</span>
          ))}
        </div>
      )}
      {isVirtual ? (
        <VirtualList
          class="rows"
          role="list"
          aria-label={label}
          tabIndex={0}
          data={end === null ? items : [...items, null]}
        >
          {(item) => (item === null ? (end ?? <></>) : drawn(item))}
        </VirtualList>
      ) : (
        <>
          <div class="rows" role="list" aria-label={label}>
            {items.map(drawn)}
          </div>
          {end}
        </>
      )}
    </div>
  )
}

function Row({
  hooks: { id, state, status, log },
  cells,
}: {
  readonly hooks: RowHooks
  readonly cells: ComponentChildren
}) {
  return (
    <div
      class="row"
      role="listitem"
      data-id={id}
      {...(state === undefined ? {} : { 'data-state': state })}
      {...(status === undefined ? {} : { 'data-status': status })}
      {...(log === undefined ? {} : { 'data-log': log })}
    >
      {cells}
    </div>
  )
}

/** The end of a list that goes on: it reads on once it is seen, and by its button. */
function More({ more, isLoading }: { more(): void; readonly isLoading: boolean }) {
  const { words } = useApp()
  const end = useRef<HTMLDivElement>(null)
  const newest = useRef(more)
  newest.current = more
  useEffect(() => {
    if (end.current === null || isLoading) return
    const seen = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) newest.current()
    })
    seen.observe(end.current)
    return () => seen.disconnect()
  }, [isLoading])
  return (
    <div ref={end} class="more">
      <button type="button" class="button quiet small" data-action="more" disabled={isLoading} onClick={() => more()}>
        {isLoading ? words.loading : words.more}
      </button>
    </div>
  )
}
