import type { ComponentChildren } from 'preact'

interface PartProps {
  /** The id of its heading, which can take the focus. */
  readonly id: string
  readonly heading: string
  readonly text?: string
  /** Buttons beside the heading. */
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
}

/** A part of the page below its own heading. */
export function Part({ id, heading, text, actions, children }: PartProps) {
  return (
    <section class={`people-part ${id}`} aria-labelledby={id}>
      <div class="head">
        <h2 id={id} tabIndex={-1}>
          {heading}
        </h2>
        {actions !== undefined && <div class="actions">{actions}</div>}
      </div>
      {text !== undefined && <p class="muted">{text}</p>}
      {children}
    </section>
  )
}

/** Gives the focus to the heading of a part: the row that had it is gone. */
export function focusPart(id: string): void {
  document.getElementById(id)?.focus()
}
