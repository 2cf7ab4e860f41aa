import { useState } from 'preact/hooks'
import { EMBED_SURFACES, isAllowedOrigin } from '../../../../src/domain/embed-session.ts'
import type { EmbedSurface } from '../../../../src/domain/embed-session.ts'
import { CheckField, Form, SelectField, TextField } from '../../ground/form.tsx'
import type { ListedNumber } from '../../ground/numbers.ts'
import { CopyText, NumberName, Secret, Time } from '../../ground/shown.tsx'
import { useApp } from '../../shell/app.ts'
import { linesOf, nearest } from './origins.ts'
import type { Words } from './page-words.ts'
import type { MintedSession } from './service.ts'

interface MintProps {
  readonly words: Words
  readonly numbers: readonly ListedNumber[]
  /** Called once a session was made. */
  done(): void
}

/** Makes a session ([embeds.routes.1]); its token is shown once. */
export function Mint({ words, numbers, done }: MintProps) {
  const { api, say } = useApp()
  const [surface, choose] = useState<EmbedSurface>('chat')
  const [wrong, find] = useState<string | null>(null)
  const [minted, show] = useState<MintedSession | null>(null)
  function send(form: FormData) {
    const wish = wishOf(surface, form)
    const problem = problemOf(wish, words)
    find(problem)
    return problem === null ? api.post<MintedSession>('/api/v1/embed/sessions', wish) : null
  }
  return (
    <section class="card" aria-labelledby="mint">
      <h2 id="mint">{words.mint.heading}</h2>
      {minted !== null && <Minted words={words} session={minted} />}
      <Form<MintedSession>
        name="embed"
        action="create"
        submit={words.mint.submit}
        codes={words.codes}
        send={send}
        done={(session) => {
          show(session)
          say(words.mint.done)
          done()
        }}
      >
        <Fields words={words} numbers={numbers} surface={surface} choose={choose} />
        {wrong !== null && (
          <p class="field-fault" role="alert" data-wrong>
            {wrong}
          </p>
        )}
      </Form>
    </section>
  )
}

/** The body of the request that a form stands for. */
function wishOf(surface: EmbedSurface, form: FormData) {
  const channelNumberIds = form.getAll('channelNumberIds').map(String)
  const ttlSeconds = String(form.get('ttlSeconds') ?? '').trim()
  return {
    surface,
    allowedOrigins: linesOf(form.get('allowedOrigins')),
    ...(channelNumberIds.length === 0 ? {} : { channelNumberIds }),
    ...(form.has('startConversation') ? { startConversation: true } : {}),
    ...(ttlSeconds === '' ? {} : { ttlSeconds: Number(ttlSeconds) }),
  }
}

/** What is wrong with it before anything is sent, in words; null when nothing is. */
function problemOf({ surface, channelNumberIds, allowedOrigins }: ReturnType<typeof wishOf>, words: Words) {
  if (surface === 'chat' && channelNumberIds === undefined) return words.mint.noNumber
  const bad = allowedOrigins.find((origin) => !isAllowedOrigin(origin))
  return bad === undefined ? null : words.noOrigin(bad, nearest(bad))
}

function Fields({ words, numbers, surface, choose }: NumbersProps & { choose(surface: EmbedSurface): void }) {
  return (
    <>
      <SelectField
        label={words.surface}
        name="surface"
        hint={words.surfaceHints[surface]}
        options={EMBED_SURFACES.map((value) => ({ value, label: words.surfaces[value] }))}
        value={surface}
        change={(value) => choose(value as EmbedSurface)}
      />
      <Numbers words={words} numbers={numbers} surface={surface} />
      <TextField
        label={words.mint.origins}
        name="allowedOrigins"
        hint={words.mint.originsHint}
        rows={3}
        isRequired
        placeholder="https://crm.example"
      />
      {surface === 'chat' && (
        <CheckField label={words.mint.start} name="startConversation" hint={words.mint.startHint} />
      )}
      <TextField
        label={words.mint.ttl}
        name="ttlSeconds"
        type="number"
        min={60}
        max={3_600}
        hint={words.mint.ttlHint}
      />
    </>
  )
}

interface NumbersProps extends Omit<MintProps, 'done'> {
  readonly surface: EmbedSurface
}

function Numbers({ words, numbers, surface }: NumbersProps) {
  return (
    <fieldset class="embed-numbers">
      <legend>{words.mint.numbers}</legend>
      <p class="hint">{numbers.length === 0 ? words.mint.hasNoNumbers : words.mint.numbersHint[surface]}</p>
      {numbers.map(({ id, name, number }) => (
        <div key={id} class="field check">
          <label>
            <input type="checkbox" name="channelNumberIds" value={id} />
            <span>
              <NumberName name={name} number={number} />
            </span>
          </label>
        </div>
      ))}
    </fieldset>
  )
}

/** What was just made: the token goes to the page by the backend, and is not shown again. */
function Minted({ words, session }: { readonly words: Words; readonly session: MintedSession }) {
  return (
    <div data-minted={session.id}>
      <Secret value={session.token} label={words.mint.token} />
      <dl class="facts">
        <dt>{words.sessions.id}</dt>
        <dd>
          <CopyText text={session.id} />
        </dd>
        <dt>{words.sessions.ends}</dt>
        <dd>
          <Time at={session.expiresAt} />
        </dd>
      </dl>
    </div>
  )
}
