import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { Answer, Fault } from '../../ui/session/answers.ts'
import { useApp } from '../shell/app.ts'

/** A list that is read page by page, newest first. */
export interface ListState<Item> {
  /** Null until the first page is there. */
  readonly items: readonly Item[] | null
  readonly fault: Fault | null
  /** Whether older ones may be there. */
  readonly hasMore: boolean
  readonly isLoadingMore: boolean
  /** Reads the next page; does nothing while one is read, or when there is none. */
  more(): void
  /** Reads the first page anew; what is shown stays until it is there. */
  again(): void
  /** Changes the items in place, as live news do; does nothing until they are there. */
  change(next: (now: readonly Item[]) => readonly Item[]): void
}

interface Pages<Item> {
  /** Reads a page; `before` is null for the first one. */
  readonly read: (before: string | null, signal: AbortSignal) => Promise<Answer<readonly Item[]>>
  /** What `before` has to be for the page after this item. */
  readonly beforeOf: (last: Item) => string
  /** Items of a full page; a shorter one is the last. */
  readonly pageSize: number
}

interface Held<Item> {
  readonly items: readonly Item[] | null
  readonly fault: Fault | null
  readonly hasMore: boolean
  readonly isLoadingMore: boolean
}

const READ = { fault: null, isLoadingMore: false } as const
const NOTHING = { items: null, fault: null, hasMore: false, isLoadingMore: false } as const

/** Numbered pages overlap once a newer row pushed the others on, so a row that is there already is left out. */
function joined<Item extends { readonly id: string }>(held: readonly Item[], more: readonly Item[]): readonly Item[] {
  const ids = new Set(held.map(({ id }) => id))
  return [...held, ...more.filter(({ id }) => !ids.has(id))]
}

/**
 * Reads a list when the component is shown, whenever one of `on` changes (such as a filter), and whenever live news
 * were missed. Late answers to earlier questions are dropped.
 */
export function useList<Item extends { readonly id: string }>(
  { read, beforeOf, pageSize }: Pages<Item>,
  on: readonly unknown[],
): ListState<Item> {
  const { news } = useApp()
  const [held, put] = useState<Held<Item>>(NOTHING)
  const running = useRef<AbortController | null>(null)
  /** News came while the first page was awaited: it may be older than the news, so it is read once more. */
  const isOvertaken = useRef(false)
  const page = useCallback((before: string | null) => {
    running.current?.abort()
    const own = new AbortController()
    running.current = own
    isOvertaken.current = false
    if (before !== null) put((now) => ({ ...now, isLoadingMore: true }))
    void read(before, own.signal).then(({ body, fault }) => {
      if (own.signal.aborted) return
      running.current = null
      if (isOvertaken.current && before === null) page(null)
      put((now) => {
        if (fault) return { ...now, fault, isLoadingMore: false, hasMore: before === null && now.hasMore }
        const items = before === null ? body : joined(now.items ?? [], body)
        return { ...READ, items, hasMore: body.length >= pageSize }
      })
    })
  }, on)
  useEffect(() => {
    put(NOTHING)
    page(null)
    const stop = news.listen({ resync: () => page(null) })
    return () => {
      stop()
      running.current?.abort()
    }
  }, [page])
  const last = held.items?.at(-1)
  return {
    ...held,
    more() {
      if (held.hasMore && !held.isLoadingMore && last !== undefined) page(beforeOf(last))
    },
    again: () => page(null),
    change(next) {
      isOvertaken.current = running.current !== null
      put((now) => (now.items === null ? now : { ...now, items: next(now.items) }))
    },
  }
}
