import type { Fault } from '../../../ui/session/answers.ts'
import { Asked, useAsked } from '../../ground/asked.tsx'
import { AskFirst } from '../../ground/ask-first.tsx'
import { Form, TextField } from '../../ground/form.tsx'
import type { ListedNumber } from '../../ground/numbers.ts'
import { Badge, Time } from '../../ground/shown.tsx'
import { useApp } from '../../shell/app.ts'
import './ad-access.css'
import type { AdsWords } from './ad.ts'

/** Whether ad accounts are shared with a number ([referrals.routes.4]). */
interface Access {
  readonly shared: boolean
  readonly adAccounts: readonly { readonly id: string; readonly name: string | null }[]
  readonly checkedAt: string | null
}

interface AccessProps {
  readonly words: AdsWords
  readonly number: ListedNumber
  /** Called once ad accounts are shared. */
  shared(): void
}

/** The ad accounts that names of ads are read with, of clicks and of leads, and the form that shares them. */
export function AdAccess({ words, number, shared }: AccessProps) {
  const { api, can, say } = useApp()
  const path = `/api/v1/numbers/${encodeURIComponent(number.id)}/ad-access`
  const access = useAsked((signal) => api.get<Access>(path, { signal }), [path])
  const { names } = words
  return (
    <section class="card" aria-labelledby="names">
      <h2 id="names">{names.heading}</h2>
      <p class="muted">{names.text}</p>
      <Asked of={access} codes={words.codes}>
        {(body) => (
          <>
            <Shared words={words} access={body} />
            {can('numbers:manage') && (
              <Form<Access>
                name="ad-access"
                submit={names.share}
                codes={words.codes}
                send={(fields) => api.put(path, { accessToken: String(fields.get('accessToken') ?? '').trim() })}
                done={(now, form) => {
                  form.reset()
                  access.change(() => now)
                  shared()
                  say(names.done)
                }}
              >
                <TextField label={names.token} name="accessToken" type="password" hint={names.tokenHint} isRequired />
              </Form>
            )}
            {can('numbers:manage') && body.shared && (
              <TakeBack words={words} number={number} path={path} again={access.again} />
            )}
          </>
        )}
      </Asked>
    </section>
  )
}

function Shared({ words: { names }, access }: { readonly words: AdsWords; readonly access: Access }) {
  if (!access.shared) return <p data-shared="false">{names.none}</p>
  return (
    <div data-shared="true">
      <p>
        <Badge tone="good" text={names.shared} /> {names.checked} <Time at={access.checkedAt} />
      </p>
      <ul class="plain ad-accounts">
        {access.adAccounts.map(({ id, name }) => (
          <li key={id} data-id={id}>
            <bdi>{name ?? id}</bdi>{' '}
            <span class="muted" dir="ltr">
              {id}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}

interface TakeBackProps extends Omit<AccessProps, 'shared'> {
  readonly path: string
  again(): void
}

/** Forgets the token of the ad accounts, once the name of the number is typed. */
function TakeBack({ words, number, path, again }: TakeBackProps) {
  const { api, say } = useApp()
  const { remove } = words.names
  async function act(): Promise<Fault | null> {
    const { fault } = await api.delete(path)
    if (fault) return fault
    again()
    say(remove.done)
    return null
  }
  return (
    <div class="actions">
      <AskFirst
        action="delete"
        heading={remove.ask}
        text={remove.warning}
        name={number.name}
        label={remove.action}
        codes={words.codes}
        act={act}
      />
    </div>
  )
}
