import ArrowLeft from 'lucide/dist/esm/icons/arrow-left.mjs'
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { Icon } from '../../ui/icon.tsx'
import { useApp } from '../shell/app.ts'

interface PageFrameProps {
  /** The name in the table of pages: `main[data-page]` ([dashboard.hooks.1]). */
  readonly name: string
  readonly heading: string
  /** The id of what a detail page is about ([dashboard.hooks.3]). */
  readonly id?: string
  /** Its live state or status; a page has one of them at most. */
  readonly state?: string | undefined
  readonly status?: string | undefined
  /** The path of the page above this one. */
  readonly above?: { readonly path: string; readonly label: string }
  /** Buttons and links beside the heading. */
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
}

/**
 * What every page is drawn in: `main` with its hooks, the title of the document, and the heading, which takes the focus
 * when the person came here from another page.
 */
export function PageFrame({ name, heading, id, state, status, above, actions, children }: PageFrameProps) {
  const hooks = {
    ...(id === undefined ? {} : { 'data-id': id }),
    ...(state === undefined ? {} : { 'data-state': state }),
    ...(status === undefined ? {} : { 'data-status': status }),
  }
  return (
    <main id="main" class="page" data-page={name} {...hooks}>
      {above !== undefined && (
        <a class="link above" href={above.path}>
          <Icon of={ArrowLeft} size={16} />
          {above.label}
        </a>
      )}
      <div class="head">
        <Heading text={heading} />
        {actions !== undefined && <div class="actions">{actions}</div>}
      </div>
      {children}
    </main>
  )
}

/** A page that has only words: what is not there, or not for this role. */
export function Plain({
  heading,
  text,
  children,
}: {
  readonly heading: string
  readonly text: string
  readonly children?: ComponentChildren
}) {
  return (
    <main id="main" class="page">
      <Heading text={heading} />
      <p class="muted">{text}</p>
      {children !== undefined && <div class="actions">{children}</div>}
    </main>
  )
}

function Heading({ text }: { readonly text: string }) {
  const { data, router } = useApp()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${text} · ${data.serviceName}`
  }, [text])
  useLayoutEffect(() => {
    // A page that was loaded by itself begins where browsers begin.
    if (router.hasMoved) heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <h1 ref={heading} tabIndex={-1} dir="auto">
      {text}
    </h1>
  )
}
