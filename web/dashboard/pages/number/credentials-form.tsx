import { CopyText } from '../../ground/shown.tsx'
import { Form, TextField } from '../../ground/form.tsx'
import { useApp } from '../../shell/app.ts'
import type { ShownNumber } from '../pairing/number-facts.tsx'
import type { NumberWords } from './number-words.ts'

/** Credentials that can be replaced; empty ones stay as they are ([official.create.5]). */
const FIELDS = ['officialAccessToken', 'officialAppId', 'officialAppSecret'] as const

interface CredentialsProps {
  readonly words: NumberWords
  readonly number: ShownNumber
  take(newer: ShownNumber): void
}

/** The credentials of an OFFICIAL number: its ids, and the form that replaces its secrets, which are never shown. */
export function CredentialsForm({ words, number, take }: CredentialsProps) {
  const { api, say } = useApp()
  const { credentials, form } = words
  return (
    <section class="card" aria-labelledby="credentials">
      <h2 id="credentials">{credentials.heading}</h2>
      <Ids words={words} number={number} />
      <p class="hint">{credentials.text}</p>
      <Form<ShownNumber>
        name="official"
        submit={credentials.save}
        codes={words.codes}
        send={(fields) => api.patch(`/api/v1/numbers/${number.id}`, givenOf(fields))}
        done={(newer, sent) => {
          sent.reset()
          take(newer)
          say(credentials.saved)
        }}
      >
        <TextField label={form.officialAccessToken} name="officialAccessToken" type="password" />
        <TextField
          label={credentials.appId}
          name="officialAppId"
          maxLength={64}
          placeholder={number.official?.appId ?? ''}
        />
        <TextField
          label={form.officialAppSecret}
          name="officialAppSecret"
          type="password"
          hint={form.officialAppSecretHint}
        />
      </Form>
    </section>
  )
}

function Ids({ words: { credentials }, number }: Omit<CredentialsProps, 'take'>) {
  return (
    <dl class="facts">
      <dt>{credentials.phoneId}</dt>
      <dd>
        <CopyText text={number.official?.phoneId ?? ''} />
      </dd>
      <dt>{credentials.accountId}</dt>
      <dd>
        <CopyText text={number.official?.accountId ?? ''} />
      </dd>
    </dl>
  )
}

function givenOf(fields: FormData): object {
  return Object.fromEntries(
    FIELDS.flatMap((name) => {
      const value = fields.get(name)
      return typeof value === 'string' && value.trim() !== '' ? [[name, value.trim()]] : []
    }),
  )
}
