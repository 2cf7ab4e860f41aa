import { useState } from 'preact/hooks'
import { KINDS, kindOf } from '../../../../src/domain/kinds/kinds.ts'
import { CheckField, Form, TextField } from '../../ground/form.tsx'
import { useApp } from '../../shell/app.ts'
import { wordOfKind } from '../pairing/number-facts.tsx'
import type { NumbersWords, ShownNumber } from '../pairing/number-facts.tsx'
import type { CreatedNumber } from './created.tsx'

type Provider = ShownNumber['provider']

/** Our choice: the kind that is offered first needs nothing but a phone. */
const FIRST = KINDS.toSorted((a, b) => Number(a.hasAccount) - Number(b.hasAccount))
/** The fields of an OFFICIAL number; an empty optional one is not sent ([official.create.1]). */
const OFFICIAL_FIELDS = [
  'officialPhoneId',
  'officialAccountId',
  'officialAccessToken',
  'officialAppId',
  'officialAppSecret',
] as const

interface NewNumberProps {
  readonly words: NumbersWords
  close(): void
  done(number: CreatedNumber): void
}

/** The form for a new number of either kind, with the field names of the API. */
export function NewNumber({ words, close, done }: NewNumberProps) {
  const { api, words: ground } = useApp()
  const [kind, choose] = useState<Provider | undefined>(FIRST[0]?.name)
  const hasAccount = kind !== undefined && kindOf({ provider: kind }).hasAccount
  const { form } = words
  return (
    <section class="card" aria-labelledby="new-number">
      <h2 id="new-number">{form.heading}</h2>
      <Form<CreatedNumber>
        name="number"
        submit={form.create}
        action="create"
        codes={words.codes}
        send={(fields) =>
          hasAccount
            ? api.post('/api/v1/numbers/official', officialBody(fields))
            : api.post('/api/v1/numbers', pairedBody(fields))
        }
        done={done}
        more={
          <button type="button" class="button quiet" data-action="cancel" onClick={close}>
            {ground.cancel}
          </button>
        }
      >
        <KindChoice words={words} kind={kind} choose={choose} />
        <TextField label={form.name} name="name" hint={form.nameHint} isRequired maxLength={120} />
        <TextField label={form.number} name="number" type="tel" hint={form.numberHint} isRequired />
        {hasAccount ? (
          <OfficialFields words={words} />
        ) : (
          <CheckField label={form.history} name="settings.historyImportEnabled" hint={form.historyHint} />
        )}
      </Form>
    </section>
  )
}

interface KindChoiceProps {
  readonly words: NumbersWords
  readonly kind: Provider | undefined
  choose(kind: Provider): void
}

function KindChoice({ words: { form, kinds }, kind, choose }: KindChoiceProps) {
  return (
    <fieldset class="choices">
      <legend>{form.kind}</legend>
      {FIRST.map(({ name }) => (
        <label key={name} class="choice">
          <input type="radio" name="provider" value={name} checked={name === kind} onChange={() => choose(name)} />
          <span>
            {kinds[wordOfKind({ provider: name })]}{' '}
            <span class="hint">{form.kindHints[wordOfKind({ provider: name })]}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

function OfficialFields({ words: { form } }: { readonly words: NumbersWords }) {
  const optional = ` (${form.optional})`
  return (
    <>
      <TextField label={form.officialPhoneId} name="officialPhoneId" isRequired maxLength={64} />
      <TextField label={form.officialAccountId} name="officialAccountId" isRequired maxLength={64} />
      <TextField label={form.officialAccessToken} name="officialAccessToken" type="password" isRequired />
      <TextField label={form.officialAppId + optional} name="officialAppId" maxLength={64} />
      <TextField
        label={form.officialAppSecret + optional}
        name="officialAppSecret"
        type="password"
        hint={form.officialAppSecretHint}
      />
    </>
  )
}

function textOf(fields: FormData, name: string): string {
  const value = fields.get(name)
  return typeof value === 'string' ? value.trim() : ''
}

function pairedBody(fields: FormData): object {
  return {
    name: textOf(fields, 'name'),
    number: textOf(fields, 'number'),
    settings: { historyImportEnabled: fields.has('settings.historyImportEnabled') },
  }
}

function officialBody(fields: FormData): object {
  const given = OFFICIAL_FIELDS.flatMap((name) => {
    const value = textOf(fields, name)
    return value === '' ? [] : [[name, value] as const]
  })
  return { name: textOf(fields, 'name'), number: textOf(fields, 'number'), ...Object.fromEntries(given) }
}
