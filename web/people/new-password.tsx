import type { PeopleWords } from '../words/people/words.ts'
import { Field } from './field.tsx'

/** [people.passwords.1]: length of a password, in characters. */
const PASSWORD = { minLength: 12, maxLength: 200 }

/** Two fields for a new password, because nobody sees what they type. */
export function NewPassword({ words: { invite: words, password: toggle } }: { readonly words: PeopleWords }) {
  return (
    <>
      <Field
        label={words.password}
        name="password"
        type="password"
        autocomplete="new-password"
        hint={words.passwordHint}
        toggle={toggle}
        isRequired
        {...PASSWORD}
      />
      <Field
        label={words.repeated}
        name="repeated"
        type="password"
        autocomplete="new-password"
        isRequired
        {...PASSWORD}
      />
    </>
  )
}

/** Whether both passwords are equal; when not, the browser says so at the second field. */
export function repeats(form: HTMLFormElement, password: string, repeated: string, { invite }: PeopleWords): boolean {
  const field = form.elements.namedItem('repeated')
  if (!(field instanceof HTMLInputElement) || password === repeated) return true
  field.setCustomValidity(invite.notTheSame)
  field.reportValidity()
  field.addEventListener('input', () => field.setCustomValidity(''), { once: true })
  return false
}
