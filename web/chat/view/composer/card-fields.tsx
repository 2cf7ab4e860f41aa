import { useLayoutEffect, useState } from 'preact/hooks'
import { FormField } from './form-field.tsx'
import type { FieldsProps } from './form-field.tsx'

/** Characters of the name on a card ([message-verbs.modes.2]). */
const NAME_LENGTH = 255
/** A phone number as digits, with the code of its country. */
const DIGITS = /^[1-9]\d{7,14}$/

/** A card of a person: a name and a phone number. */
export function CardFields({ said, isTried, onDraft }: FieldsProps) {
  const [name, setName] = useState('')
  const [typed, setTyped] = useState('')
  const formatted = name.trim().slice(0, NAME_LENGTH)
  const phone = phoneIn(typed)
  useLayoutEffect(() => {
    const isWhole = formatted !== '' && phone !== null
    onDraft(isWhole ? { kind: 'contacts', contacts: [{ name: { formatted }, phones: [{ phone }] }] } : null)
  }, [formatted, phone])
  return (
    <>
      <FormField
        name="name"
        label={said.name}
        value={name}
        fault={isTried && formatted === '' ? said.faults.name : null}
        onInput={setName}
      />
      <FormField
        name="phone"
        label={said.phone}
        hint={said.phoneHint}
        value={typed}
        inputMode="tel"
        fault={isTried && phone === null ? said.faults.phone : null}
        onInput={setTyped}
      />
    </>
  )
}

/** The number as phones dial it from anywhere; null when it is none. */
function phoneIn(typed: string): string | null {
  const digits = typed.replaceAll(/[\s().\-\u2010-\u2015\u200E\u200F\u202A-\u202E]/g, '').replace(/^(\+|00)/, '')
  return DIGITS.test(digits) ? `+${digits}` : null
}
