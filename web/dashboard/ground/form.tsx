import type { ComponentChildren } from 'preact'
import { createContext } from 'preact'
import { useContext, useId, useState } from 'preact/hooks'
import type { Answer, Fault, FieldFault } from '../../ui/session/answers.ts'
import { useApp } from '../shell/app.ts'
import { FaultLine } from './asked.tsx'
import type { CodeWords } from './fault-text.ts'

/** The faults of the fields of the form around, by path. */
const FieldFaults = createContext<readonly FieldFault[]>([])

interface FormProps<T> {
  /** `form[data-form]` ([dashboard.hooks.2]). */
  readonly name: string
  /** The label of the button that sends it. */
  readonly submit: string
  /** Its `data-action`. */
  readonly action?: 'create' | 'save' | 'send'
  readonly codes?: CodeWords
  readonly isDisabled?: boolean
  /** What the page itself finds wrong while the person types; it stands at the fields too. */
  readonly found?: readonly FieldFault[]
  /** Sends the fields; null when the page found something wrong itself, and said so. */
  send(fields: FormData, form: HTMLFormElement): Promise<Answer<T>> | null
  done(body: T, form: HTMLFormElement): void
  /** Buttons beside the one that sends it. */
  readonly more?: ComponentChildren
  readonly children: ComponentChildren
}

/**
 * A form whose fields are named as in the API. What the service refuses stands beside its field, everything else above
 * the button.
 */
export function Form<T>({
  name,
  submit,
  action = 'save',
  codes,
  isDisabled,
  found = [],
  send,
  done,
  more,
  children,
}: FormProps<T>) {
  const { words } = useApp()
  const [fault, fail] = useState<Fault | null>(null)
  const [isBusy, busy] = useState(false)
  async function take(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    if (isBusy) return
    const asked = send(new FormData(form), form)
    if (asked === null) return
    busy(true)
    fail(null)
    const answer = await asked
    busy(false)
    if (answer.fault) {
      fail(answer.fault)
      focusFault(form, answer.fault)
    } else done(answer.body, form)
  }
  return (
    <FieldFaults.Provider value={[...found, ...(fault?.fields ?? [])]}>
      <form data-form={name} class="form" onSubmit={(event) => void take(event)} aria-busy={isBusy}>
        {children}
        {fault !== null && <FaultLine fault={fault} {...(codes === undefined ? {} : { codes })} />}
        <div class="actions">
          {more}
          <button type="submit" class="button primary" data-action={action} disabled={isBusy || (isDisabled ?? false)}>
            {isBusy ? words.loading : submit}
          </button>
        </div>
      </form>
    </FieldFaults.Provider>
  )
}

function focusFault(form: HTMLFormElement, { fields = [] }: Fault): void {
  for (const { path } of fields) {
    const field = form.elements.namedItem(path)
    if (field instanceof HTMLElement) return field.focus()
  }
}

interface Named {
  readonly label: string
  /** The field's name in the API; nested ones with dots (`settings.rejectCall`). */
  readonly name: string
  readonly hint?: string
}

interface TextFieldProps extends Named {
  readonly type?: 'text' | 'url' | 'tel' | 'number' | 'password' | 'email' | 'date' | 'datetime-local'
  readonly value?: string
  readonly isRequired?: boolean
  readonly maxLength?: number
  readonly placeholder?: string
  /** Number of lines; one when absent. */
  readonly rows?: number
  readonly pattern?: string
  readonly min?: number
  readonly max?: number
  change?(value: string): void
}

/** Preact's types tell inputs apart by a literal `type`; the props used here are the same for all. */
type TypedInput = { readonly type: 'text' }

/** A field to type into, with its label, hint and the service's fault. */
export function TextField({ label, name, hint, type = 'text', value, rows, change, ...about }: TextFieldProps) {
  const { id, described, faults } = useField(name, hint)
  const { isRequired = false, maxLength, placeholder, pattern, min, max } = about
  const shared = {
    id,
    name,
    required: isRequired,
    autocomplete: 'off' as const,
    dir: type === 'url' || type === 'tel' ? ('ltr' as const) : ('auto' as const),
    ...described,
    ...(value === undefined ? {} : { defaultValue: value }),
    ...(maxLength === undefined ? {} : { maxLength }),
    ...(placeholder === undefined ? {} : { placeholder }),
    ...(change === undefined
      ? {}
      : { onInput: (event: { currentTarget: { value: string } }) => change(event.currentTarget.value) }),
  }
  const kind = { type } as TypedInput
  const limits = {
    ...(pattern === undefined ? {} : { pattern }),
    ...(min === undefined ? {} : { min }),
    ...(max === undefined ? {} : { max }),
  }
  return (
    <Around id={id} label={label} hint={hint} faults={faults}>
      {rows === undefined ? <input {...kind} {...shared} {...limits} /> : <textarea rows={rows} {...shared} />}
    </Around>
  )
}

interface SelectFieldProps extends Named {
  readonly options: readonly { readonly value: string; readonly label: string }[]
  readonly value?: string
  change?(value: string): void
}

/** A field to choose one of a few values. */
export function SelectField({ label, name, hint, options, value, change }: SelectFieldProps) {
  const { id, described, faults } = useField(name, hint)
  return (
    <Around id={id} label={label} hint={hint} faults={faults}>
      <select id={id} name={name} {...described} onChange={({ currentTarget }) => change?.(currentTarget.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value} selected={option.value === value}>
            {option.label}
          </option>
        ))}
      </select>
    </Around>
  )
}

interface CheckFieldProps extends Named {
  readonly isChecked?: boolean
  /** The value that the field has when checked; `on` when absent. */
  readonly value?: string
  change?(isChecked: boolean): void
}

/** A field that is on or off. */
export function CheckField({ label, name, hint, isChecked = false, value = 'on', change }: CheckFieldProps) {
  const { id, described, faults } = useField(name, hint)
  return (
    <div class="field check">
      <label for={id}>
        <input
          id={id}
          type="checkbox"
          name={name}
          value={value}
          defaultChecked={isChecked}
          {...described}
          onChange={({ currentTarget }) => change?.(currentTarget.checked)}
        />
        <span>{label}</span>
      </label>
      <Below id={id} hint={hint} faults={faults} />
    </div>
  )
}

function useField(name: string, hint: string | undefined) {
  const id = useId()
  const faults = useContext(FieldFaults).filter(({ path }) => path === name)
  const by = [...(hint === undefined ? [] : [`${id}-hint`]), ...(faults.length === 0 ? [] : [`${id}-fault`])].join(' ')
  const described = {
    ...(by === '' ? {} : { 'aria-describedby': by }),
    ...(faults.length === 0 ? {} : { 'aria-invalid': true as const }),
  }
  return { id, faults, described }
}

interface AroundProps {
  readonly id: string
  readonly label: string
  readonly hint: string | undefined
  readonly faults: readonly FieldFault[]
  readonly children: ComponentChildren
}

function Around({ id, label, hint, faults, children }: AroundProps) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children}
      <Below id={id} hint={hint} faults={faults} />
    </div>
  )
}

/** What stands below a field: its hint, and what the service has against its value. */
function Below({ id, hint, faults }: Pick<AroundProps, 'id' | 'hint' | 'faults'>) {
  return (
    <>
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {faults.length > 0 && (
        <p class="field-fault" id={`${id}-fault`} data-field-fault>
          {faults.map(({ message, isWorded = false }, at) => (
            <bdi key={at} {...(isWorded ? {} : { lang: 'en' })}>
              {at > 0 ? `; ${message}` : message}
            </bdi>
          ))}
        </p>
      )}
    </>
  )
}
