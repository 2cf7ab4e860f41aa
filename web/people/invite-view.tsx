import { accept } from './acts.ts'
import type { Invited } from './answers.ts'
import { onFields } from '../ui/fields.ts'
import { Field } from './field.tsx'
import type { PageModel } from './model.ts'
import { NewPassword, repeats } from './new-password.tsx'

interface InviteProps {
  readonly model: PageModel
  readonly token: string
  readonly invited: Invited | null
}

/**
 * An invited person enters a name and chooses a password. The e-mail address is in the form because password managers
 * store the password under it.
 */
export function InviteView({ model, token, invited }: InviteProps) {
  const { invite: words, signIn } = model.words
  const submit = onFields(({ name = '', password = '', repeated = '' }, form) => {
    if (!repeats(form, password, repeated, model.words)) return
    return accept(model, { token, password, ...(name.trim() === '' ? {} : { name: name.trim() }) })
  })
  return (
    <form data-form="invite" class="form" onSubmit={submit}>
      <p class="muted">{words.text}</p>
      {invited !== null && (
        <Field
          label={signIn.email}
          name="email"
          type="email"
          autocomplete="username"
          value={invited.email}
          isReadOnly
        />
      )}
      <Field
        label={words.name}
        name="name"
        type="text"
        autocomplete="name"
        maxLength={100}
        value={invited?.name ?? ''}
      />
      <NewPassword words={model.words} />
      <button class="button primary" type="submit" disabled={model.isBusy.value}>
        {words.submit}
      </button>
    </form>
  )
}
