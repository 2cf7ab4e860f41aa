import type { PageModel } from './model.ts'
import { signIn } from './acts.ts'
import { onFields } from '../ui/fields.ts'
import { Field } from './field.tsx'

/** Signs in by e-mail and password, or by the account's key, whichever is filled in. */
export function SignInView({ model }: { readonly model: PageModel }) {
  const { signIn: words } = model.words
  const submit = onFields(({ email = '', password = '', tenantKey = '' }) =>
    signIn(model, tenantKey.trim() === '' ? { email: email.trim(), password } : { tenantKey: tenantKey.trim() }),
  )
  return (
    <form data-form="login" class="form" onSubmit={submit}>
      <Field label={words.email} name="email" type="email" autocomplete="username" />
      <Field
        label={words.password}
        name="password"
        type="password"
        autocomplete="current-password"
        maxLength={200}
        toggle={model.words.password}
      />
      <details>
        <summary>{words.useKey}</summary>
        <Field label={words.tenantKey} name="tenantKey" type="password" autocomplete="off" hint={words.tenantKeyHint} />
      </details>
      <button class="button primary" type="submit" disabled={model.isBusy.value}>
        {words.submit}
      </button>
      <p class="hint">{words.forgotten}</p>
    </form>
  )
}
