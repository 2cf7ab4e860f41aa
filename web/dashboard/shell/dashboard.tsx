import { useEffect, useRef, useState } from 'preact/hooks'
import { Plain } from '../ground/page.tsx'
import { Dock } from '../softphone/dock.tsx'
import { AppContext } from './app.ts'
import type { App } from './app.ts'
import { Frame } from './frame.tsx'
import { hasPage, loadPage } from './page-files.ts'
import type { LoadedPage } from './page-files.ts'

/** The whole dashboard: the frame with the page that the address names. */
export function Dashboard({ app }: { readonly app: App }) {
  return (
    <AppContext.Provider value={app}>
      <Frame app={app}>
        <PageHere app={app} />
        {app.can('calls:manage') && <Dock app={app} />}
      </Frame>
    </AppContext.Provider>
  )
}

/** A page as it is drawn. */
interface Drawn extends LoadedPage {
  readonly pathname: string
  readonly id: string
  readonly query: URLSearchParams
}

/** The page of the address. While its files load, the page before it stays as it was. */
function PageHere({ app }: { readonly app: App }) {
  const { pathname, query, page, id } = app.router.place.value
  const name = page !== null && hasPage(page.name) ? page.name : null
  const loaded = useLoaded(app, name)
  const drawn = useRef<Drawn | null>(null)
  if (page !== null && !app.can(page.permission)) return <Plain {...app.words.denied} />
  if (name === null) return <Plain {...app.words.missing} />
  if (loaded === 'failed') return <Broken words={app.words} />
  if (loaded?.name === name) drawn.current = { ...loaded, pathname, id: id ?? '', query }
  if (drawn.current === null) return <main id="main" class="page" aria-busy="true" aria-label={app.words.loading} />
  const { Page, ...shown } = drawn.current
  return <Page key={shown.pathname} words={shown.words} id={shown.id} query={shown.query} />
}

/** The page of a name as soon as it is loaded, before that the one loaded last; null when none was. */
function useLoaded(app: App, name: string | null): LoadedPage | 'failed' | null {
  const [loaded, put] = useState<LoadedPage | 'failed' | null>(null)
  useEffect(() => {
    let isWanted = name !== null
    if (name !== null)
      loadPage(name, app.language).then(
        (ready) => isWanted && put(ready),
        () => isWanted && put('failed'),
      )
    return () => {
      isWanted = false
    }
  }, [app, name])
  return loaded
}

/** A page whose files could not be loaded: the document names other files once the service was renewed. */
function Broken({ words }: { readonly words: App['words'] }) {
  return (
    <Plain heading={words.broken.heading} text={words.broken.text}>
      <button type="button" class="button primary" data-action="retry" onClick={() => location.reload()}>
        {words.broken.reload}
      </button>
    </Plain>
  )
}
