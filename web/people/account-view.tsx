import { changePassword, endGrant, signOut } from './acts.ts'
import type { Grant, Session } from '../ui/session/answers.ts'
import { onFields } from '../ui/fields.ts'
import { Field } from './field.tsx'
import type { PageModel } from './model.ts'
import { NewPassword, repeats } from './new-password.tsx'

/** The account page: the signed-in person, the clients with grants, and the button to sign out. */
export function AccountView({
  model,
  session,
  grants,
}: {
  readonly model: PageModel
  readonly session: Session
  readonly grants: readonly Grant[] | null
}) {
  const { account: words } = model.words
  const { user, tenant } = session
  return (
    <div class="form">
      <dl class="facts">
        <dt>{words.tenant}</dt>
        <dd dir="auto">{tenant.name}</dd>
        <dt>{words.signedInAs}</dt>
        <dd dir="auto" data-user>
          {user === null ? words.byKey : `${user.name ?? user.email} · ${words.roles[user.role]}`}
        </dd>
      </dl>
      <Onward model={model} />
      {grants !== null && <Grants model={model} grants={grants} />}
      {user !== null && <PasswordForm model={model} email={user.email} />}
      <button
        class="button quiet"
        type="button"
        data-action="sign-out"
        disabled={model.isBusy.value}
        onClick={() => void signOut(model)}
      >
        {words.signOut}
      </button>
    </div>
  )
}

/** Links to the other pages of the service. */
function Onward({
  model: {
    links,
    words: { account },
  },
}: {
  readonly model: PageModel
}) {
  return (
    <nav class="onward" aria-label={account.onward}>
      <h2 aria-hidden="true">{account.onward}</h2>
      <ul>
        {links.map(({ what, href }) => (
          <li key={what}>
            <a class="link" href={href}>
              {account.links[what].name}
            </a>
            <p class="hint">{account.links[what].text}</p>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function Grants({ model, grants }: { readonly model: PageModel; readonly grants: readonly Grant[] }) {
  const { account: words, consent } = model.words
  return (
    <section class="grants">
      <h2>{words.grants}</h2>
      {grants.length === 0 && <p class="muted">{words.noGrants}</p>}
      <ul>
        {grants.map((grant) => {
          const name = grant.clientName ?? grant.clientId
          return (
            <li key={grant.id} data-grant={grant.id}>
              <div>
                <p dir="auto">
                  <strong>{name}</strong>
                </p>
                <p class="hint">{grant.scopes.map((scope) => consent.scope[scope] ?? scope).join(' · ')}</p>
                <p class="hint">
                  {grant.channelNumberIds === null ? consent.allNumbers : words.numbers(grant.channelNumberIds.length)}
                  {grant.user !== null && ` · ${grant.user.email}`}
                </p>
              </div>
              <button
                class="button quiet small"
                type="button"
                data-action="end-grant"
                disabled={model.isBusy.value}
                onClick={() => void endGrant(model, grant.id)}
              >
                {words.end}
                <span class="unseen"> {name}</span>
              </button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

function PasswordForm({ model, email }: { readonly model: PageModel; readonly email: string }) {
  const { account: words } = model.words
  const submit = onFields(async ({ current = '', password = '', repeated = '' }, form) => {
    if (repeats(form, password, repeated, model.words) && (await changePassword(model, { current, password })))
      form.reset()
  })
  return (
    <details>
      <summary>{words.changePassword}</summary>
      <form data-form="password" class="form" onSubmit={submit}>
        <Field
          label={model.words.signIn.email}
          name="email"
          type="email"
          autocomplete="username"
          value={email}
          isReadOnly
        />
        <Field
          label={words.current}
          name="current"
          type="password"
          autocomplete="current-password"
          isRequired
          maxLength={200}
          toggle={model.words.password}
        />
        <NewPassword words={model.words} />
        <button class="button primary" type="submit" disabled={model.isBusy.value}>
          {words.change}
        </button>
      </form>
    </details>
  )
}
