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
  readonly toggle?: { readonly show: string; readonly hide: string }
}

/** The types of Preact tell inputs apart by a `type` that is known; what is the same for these three is not. */
type TypedInput = { readonly type: 'text' }

/** A field with its label, and what belongs in it. */
export function Field({ label, hint, type, toggle, ...about }: FieldProps) {
  const id = useId()
  const [isShown, show] = useState(false)
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="input">
        <Input id={id} type={isShown ? 'text' : type} describedBy={hint ? `${id}-hint` : undefined} {...about} />
        {toggle !== undefined && (
          <button
            class="button quiet small"
            type="button"
            aria-pressed={isShown}
            aria-controls={id}
            data-action="show-password"
            onClick={() => show(!isShown)}
          >
            {isShown ? toggle.hide : toggle.show}
          </button>
        )}
      </div>
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}

interface InputProps extends Omit<FieldProps, 'label' | 'hint' | 'toggle'> {
  readonly id: string
  /** The element that says what belongs in it. */
  readonly describedBy: string | undefined
}

function Input({ id, name, type, autocomplete, describedBy, minLength, maxLength, value, ...is }: InputProps) {
  const kind = { type } as TypedInput
  const limits = {
    ...(value === undefined ? {} : { defaultValue: value }),
    ...(minLength === undefined ? {} : { minLength }),
    ...(maxLength === undefined ? {} : { maxLength }),
  }
  return (
    <input
      id={id}
      name={name}
      {...kind}
      autocomplete={autocomplete}
      required={is.isRequired ?? false}
      spellcheck={false}
      autocapitalize="none"
      {...limits}
      {...(describedBy === undefined ? {} : { 'aria-describedby': describedBy })}
      readOnly={is.isReadOnly ?? false}
    />
  )
}

/** What stands in the fields of a form, by their names, and the form sent by script alone. */
export function onFields(
  act: (fields: Readonly<Record<string, string>>, form: HTMLFormElement) => unknown,
): (event: SubmitEvent) => void {
  return (event) => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const entries = [...new FormData(form)].map(
      ([name, value]) => [name, typeof value === 'string' ? value : ''] as const,
    )
    void act(Object.fromEntries(entries), form)
  }
}
