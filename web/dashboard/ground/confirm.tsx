import { useEffect, useId, useRef, useState } from 'preact/hooks'
import type { ComponentChildren } from 'preact'
import type { Fault } from '../../ui/session/answers.ts'
import { useApp } from '../shell/app.ts'
import { FaultLine } from './asked.tsx'
import type { CodeWords } from './fault-text.ts'

interface DialogProps {
  readonly heading: ComponentChildren
  readonly children: ComponentChildren
  /** Called when the dialog is closed, by Esc too. */
  close(): void
}

/** A dialog over the page: the browser keeps the focus in it, and gives it back. */
export function Dialog({ heading, children, close }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const open = dialog.current
    open?.showModal()
    return () => open?.close()
  }, [])
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby={id} onClose={close}>
      <h2 id={id} dir="auto">
        {heading}
      </h2>
      {children}
    </dialog>
  )
}

/** A heading with the name in it isolated, so that its direction turns nothing around it. */
function isolated(heading: string, name: string): ComponentChildren {
  const at = name === '' ? -1 : heading.indexOf(name)
  if (at < 0) return heading
  return (
    <>
      {heading.slice(0, at)}
      <bdi>{name}</bdi>
      {heading.slice(at + name.length)}
    </>
  )
}

export interface ConfirmProps {
  readonly heading: string
  /** What will be lost. */
  readonly text: string
  /** The name that has to be typed: that of what is destroyed. */
  readonly name: string
  /** The label of the button that does it. */
  readonly label: string
  readonly codes?: CodeWords
  /** Fields of what else there is to choose. */
  readonly children?: ComponentChildren
  /** Does it; resolves to why that failed, null when it is done. The caller then takes the dialog away. */
  act(): Promise<Fault | null>
  close(): void
}

/** Asks before something is destroyed: the button works once the name is typed ([dashboard.hooks.4]). */
export function Confirm({ heading, text, name, label, codes, children, act, close }: ConfirmProps) {
  const { words } = useApp()
  const [typed, type] = useState('')
  const [isBusy, busy] = useState(false)
  const [fault, fail] = useState<Fault | null>(null)
  const isMatching = typed.trim() === name.trim()
  async function confirm(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    if (!isMatching || isBusy) return
    busy(true)
    fail(null)
    fail(await act())
    busy(false)
  }
  return (
    <Dialog heading={isolated(heading, name)} close={close}>
      <form class="form" onSubmit={(event) => void confirm(event)}>
        <p>{text}</p>
        {children}
        <NameField name={name} typed={typed} type={type} />
        {fault !== null && <FaultLine fault={fault} {...(codes === undefined ? {} : { codes })} />}
        <div class="actions">
          <button type="button" class="button quiet" data-action="cancel" onClick={close}>
            {words.cancel}
          </button>
          <button type="submit" class="button danger" data-action="confirm" disabled={!isMatching || isBusy}>
            {isBusy ? words.confirm.busy : label}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

interface NameFieldProps {
  readonly name: string
  readonly typed: string
  type(text: string): void
}

function NameField({ name, typed, type }: NameFieldProps) {
  const { words } = useApp()
  const id = useId()
  return (
    <div class="field">
      <label for={id}>
        {words.confirm.type} <bdi class="name">{name}</bdi>
      </label>
      <input
        id={id}
        name="confirm"
        type="text"
        value={typed}
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        dir="auto"
        onInput={({ currentTarget }) => type(currentTarget.value)}
      />
    </div>
  )
}
