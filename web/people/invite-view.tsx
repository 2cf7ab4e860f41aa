import { accept } from './acts.ts'
import { Field, onFields } from './field.tsx'
import type { PageModel } from './model.ts'
import { NewPassword, repeats } from './new-password.tsx'

/** The person who was invited says their name and chooses a password. */
export function InviteView({ model, token }: { readonly model: PageModel, readonly token: string }) {
  const { invite: words } = model.words
  const submit = onFields(({ name = '', password = '', repeated = '' }, form) => {
    if (!repeats(form, password, repeated, model.words)) return
    return accept(model, { token, password, ...(name.trim() === '' ? {} : { name: name.trim() }) })
  })
  return (
    <form data-form="invite" class="form" onSubmit={submit}>
      <p class="muted">{words.text}</p>
      <Field label={words.name} name="name" type="text" autocomplete="name" maxLength={100} />
      <NewPassword words={model.words} />
      <button class="button primary" type="submit" disabled={model.isBusy.value}>{words.submit}</button>
    </form>
  )
}
