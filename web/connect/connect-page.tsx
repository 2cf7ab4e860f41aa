import { useEffect, useRef, useState } from 'preact/hooks'
import { Announcer } from '../ui/announcer.tsx'
import { Logo } from '../ui/logo.tsx'
import { ButtonView } from './button-view.tsx'
import type { PageModel } from './model.ts'
import { Panel } from './panel.tsx'
import { phoneUrl } from './request.ts'
import { headlineOf, noticeOf } from './says.ts'
import { stateName, viewOf } from './state.ts'

/** The connect page for the current state of its model. */
export function ConnectPage({ model }: { readonly model: PageModel }) {
  const state = model.page.value
  const view = viewOf(state, model.wanted.value)
  return (
    <main data-view={view} data-state={stateName(state)} aria-busy={state.phase === 'loading'}>
      {view === 'button' && <ButtonView model={model} />}
      {view === 'page' && <WholePage model={model} />}
      <Announcer text={useAnnouncement(model)} />
    </main>
  )
}

function WholePage({ model }: { readonly model: PageModel }) {
  return (
    <>
      <Brand model={model} />
      {model.request.source.kind === 'preview' && (
        <p class="muted" data-preview>
          {model.words.value.connect.preview}
        </p>
      )}
      <Panel model={model} />
      <Foot model={model} />
    </>
  )
}

/** The brand at the top of the page. */
function Brand({ model: { look, serviceName } }: { readonly model: PageModel }) {
  const branding = look.value?.branding ?? null
  return (
    <header class="brand">
      <Logo url={branding?.logoUrl ?? null} />
      <div>
        <p class="title" data-title dir="auto">
          {branding?.companyName ?? serviceName}
        </p>
        {branding !== null && branding.subtitle !== null && (
          <p class="muted" data-subtitle dir="auto">
            {branding.subtitle}
          </p>
        )}
      </div>
    </header>
  )
}

function Foot({ model }: { readonly model: PageModel }) {
  const { look, serviceName, words, onPhone } = model
  const branding = look.value?.branding ?? null
  if (branding === null) return <footer class="foot" />
  const { help, newWindow, poweredBy } = words.value.connect
  const OnPhone = onPhone.value
  return (
    <footer class="foot">
      {branding.supportUrl !== null && (
        <a class="link" data-support href={branding.supportUrl} target="_blank" rel="noopener noreferrer">
          {help}
          <span class="unseen"> {newWindow}</span>
        </a>
      )}
      {OnPhone !== null && <OnPhone model={model} url={phoneUrl(model.request, location.origin)} />}
      {!branding.hidePilotStatusBranding && (
        <p class="muted" data-attribution>
          {poweredBy(serviceName)}
        </p>
      )}
    </footer>
  )
}

/**
 * The text for screen readers when something changes: the heading, the notice above a code, or the code itself. What
 * was on the page from the start is not announced.
 */
function useAnnouncement({ page, words }: PageModel): string {
  const [text, setText] = useState('')
  const notice = noticeOf(page.value, words.value)
  const { heading } = notice ?? headlineOf(page.value, words.value)
  const qr = page.value.code?.qr ?? null
  const before = useRef({ heading, qr })
  useEffect(() => {
    const { heading: oldHeading, qr: oldQr } = before.current
    before.current = { heading, qr: qr ?? oldQr }
    if (heading !== oldHeading) setText(notice === null ? heading : `${notice.heading}. ${notice.text ?? ''}`)
    else if (qr !== null && oldQr !== null && qr !== oldQr)
      setText((said) => anew(said, words.value.pairing.newCodeShown))
  }, [heading, qr])
  return text
}

/** A reader does not repeat an equal text, so a repeated text gets an invisible space at its end. */
function anew(said: string, text: string): string {
  return said === text ? `${text}\u00A0` : text
}
