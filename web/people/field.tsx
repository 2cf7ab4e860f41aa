import { useId } from 'preact/hooks'

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
}

/** The types of Preact tell inputs apart by a `type` that is known; what is the same for these three is not. */
type TypedInput = { readonly type: 'text' }

/** A field with its label, and what belongs in it. */
export function Field({ label, name, type, autocomplete, hint, isRequired = false, minLength, maxLength }: FieldProps) {
  const id = useId()
  const kind = { type } as TypedInput
  const limits = { ...(minLength === undefined ? {} : { minLength }), ...(maxLength === undefined ? {} : { maxLength }) }
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input id={id} name={name} {...kind} autocomplete={autocomplete} required={isRequired} spellcheck={false} autocapitalize="none" {...limits} {...(hint ? { 'aria-describedby': `${id}-hint` } : {})} />
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
