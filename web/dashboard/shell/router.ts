import { signal } from '@preact/signals'
import type { ReadonlySignal } from '@preact/signals'
import { dashboardPageAt } from '../../../src/domain/dashboard-pages.ts'
import type { DashboardPage } from '../../../src/domain/dashboard-pages.ts'

/** Where the person is: a page of the dashboard with the id and the query of its address. */
export interface Place {
  readonly pathname: string
  readonly query: URLSearchParams
  /** Null when the dashboard has no such page. */
  readonly page: DashboardPage | null
  readonly id: string | null
}

/** The address bar, as the pages read and change it. */
export class Router {
  readonly #place = signal<Place>(placeOf(location))
  /** The language that the first address names; every later address keeps it. */
  readonly #lang = new URLSearchParams(location.search).get('lang')
  #hasMoved = false

  constructor() {
    addEventListener('popstate', () => this.#show())
  }

  get place(): ReadonlySignal<Place> {
    return this.#place
  }

  /** Whether another page was shown before this one. */
  get hasMoved(): boolean {
    return this.#hasMoved
  }

  /** Goes to a page by its path and query; `isStep` is false when back should not lead here again. */
  go(path: string, isStep = true): void {
    const address = new URL(path, location.origin)
    if (this.#lang !== null) address.searchParams.set('lang', this.#lang)
    const target = address.pathname + address.search + address.hash
    if (isStep) history.pushState(null, '', target)
    else history.replaceState(null, '', target)
    this.#show()
  }

  /** Replaces the query of the present page, such as its filters; fields that are null go. */
  ask(fields: Readonly<Record<string, string | null>>): void {
    const address = new URL(location.href)
    for (const [name, value] of Object.entries(fields)) {
      if (value === null) address.searchParams.delete(name)
      else address.searchParams.set(name, value)
    }
    this.go(address.pathname + address.search, false)
  }

  /** Follows links to pages of the dashboard without loading a document. */
  followLinks(): void {
    document.addEventListener('click', (event) => {
      const link = isPlainClick(event) ? linkOf(event) : null
      if (link === null || dashboardPageAt(link.pathname) === null) return
      event.preventDefault()
      this.go(link.pathname + link.search + link.hash, link.href !== location.href)
    })
  }

  #show(): void {
    const before = this.#place.value
    const next = placeOf(location)
    if (next.pathname !== before.pathname) {
      this.#hasMoved = true
      scrollTo(0, 0)
    }
    this.#place.value = next
  }
}

function placeOf({ pathname, search }: Location): Place {
  const found = dashboardPageAt(pathname)
  return { pathname, query: new URLSearchParams(search), page: found?.page ?? null, id: found?.id ?? null }
}

function isPlainClick(event: MouseEvent): boolean {
  return (
    event.button === 0
    && !event.defaultPrevented
    && !event.metaKey
    && !event.ctrlKey
    && !event.shiftKey
    && !event.altKey
  )
}

function linkOf({ target }: MouseEvent): HTMLAnchorElement | null {
  const link = target instanceof Element ? target.closest('a') : null
  if (link === null || link.origin !== location.origin || link.target !== '' || link.hasAttribute('download'))
    return null
  return link
}
