import { useId, useState } from 'preact/hooks'

interface FieldProps {
  readonly label: string
  /** The field's name in the API. */
  readonly name: string
  readonly type: 'email' | 'password' | 'text'
  /** The autofill token of HTML, for browsers and password managers. */
  readonly autocomplete: string
  readonly hint?: string
  readonly isRequired?: boolean
  readonly minLength?: number
  readonly maxLength?: number
  /** The initial value. */
  readonly value?: string
  readonly isReadOnly?: boolean
  /** Labels of the button that shows or hides a password; absent for other fields. */
  readonly toggle?: { readonly show: string; readonly hide: string }
}

/** Preact's types tell inputs apart by a literal `type`; the props used here are the same for all three types. */
type TypedInput = { readonly type: 'text' }

/** A field with its label and hint. */
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
  /** Id of the element with the hint; undefined when there is none. */
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
