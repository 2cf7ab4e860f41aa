import { useId, useState } from 'preact/hooks'

interface FieldProps {
  readonly label: string
  /** As the API names it. */
  readonly name: string
  readonly type: 'email' | 'password' | 'text'
  /** What browsers and keepers of passwords fill in (HTML, autofill). */
  readonly autocomplete: string
  readonly hint?: string
  readonly isRequired?: boolean
  readonly minLength?: number
  readonly maxLength?: number
  /** What stands in it at first. */
  readonly value?: string
  readonly isReadOnly?: boolean
  /** Of a password: what the button says that shows and hides it. */
  readonly toggle?: { readonly show: string, readonly hide: string }
}

/** The types of Preact tell inputs apart by a `type` that is known; what is the same for these three is not. */
type TypedInput = { readonly type: 'text' }

/** A field with its label, and what belongs in it. */
export function Field({ label, name, type, autocomplete, hint, isRequired = false, minLength, maxLength, value, isReadOnly = false, toggle }: FieldProps) {
  const id = useId()
  const [isShown, show] = useState(false)
  const kind = { type: isShown ? 'text' : type } as TypedInput
  const limits = { ...(value === undefined ? {} : { defaultValue: value }), ...(minLength === undefined ? {} : { minLength }), ...(maxLength === undefined ? {} : { maxLength }) }
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="input"><input id={id} name={name} {...kind} autocomplete={autocomplete} required={isRequired} spellcheck={false} autocapitalize="none" {...limits} {...(hint ? { 'aria-describedby': `${id}-hint` } : {})} readOnly={isReadOnly} />
        {toggle !== undefined && <button class="button quiet small" type="button" aria-pressed={isShown} aria-controls={id} data-action="show-password" onClick={() => show(!isShown)}>{isShown ? toggle.hide : toggle.show}</button>}
      </div>
      {hint !== undefined && <p class="hint" id={`${id}-hint`}>{hint}</p>}
    </div>
  )
}

/** What stands in the fields of a form, by their names, and the form sent by script alone. */
export function onFields(act: (fields: Readonly<Record<string, string>>, form: HTMLFormElement) => unknown): (event: SubmitEvent) => void {
  return (event) => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const entries = [...new FormData(form)].map(([name, value]) => [name, typeof value === 'string' ? value : ''] as const)
    void act(Object.fromEntries(entries), form)
  }
}
