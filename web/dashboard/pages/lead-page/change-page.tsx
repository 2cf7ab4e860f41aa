import type { Fault } from '../../../ui/session/answers.ts'
import { AskFirst } from '../../ground/ask-first.tsx'
import { Form, SelectField, TextField } from '../../ground/form.tsx'
import { useNumbers } from '../../ground/numbers.ts'
import { useApp } from '../../shell/app.ts'
import { nameToType } from '../lead/name-to-type.ts'
import { pagesPath } from '../lead-pages/linked-page.ts'
import type { LinkedPage } from '../lead-pages/linked-page.ts'
import { routeOf } from './props.ts'
import type { LeadPageProps } from './props.ts'

interface ChangeProps extends LeadPageProps {
  take(now: LinkedPage): void
}

/** The form that gives a Page another number, token or secret, and its end. */
export function ChangePage({ words, page, take }: ChangeProps) {
  const { api, say, words: ground } = useApp()
  const numbers = useNumbers().body ?? []
  const { change, list } = words
  return (
    <section class="card" aria-labelledby="change">
      <h2 id="change">{change.heading}</h2>
      <p class="muted">{change.text}</p>
      <Form<LinkedPage>
        name="lead-page"
        submit={ground.save}
        codes={list.codes}
        send={(fields) => {
          const body = changesOf(fields, page)
          return Object.keys(body).length === 0 ? null : api.patch(routeOf(page.pageId), body)
        }}
        done={(now, form) => {
          form.reset()
          take(now)
          say(ground.saved)
        }}
      >
        <SelectField
          key={numbers.length === 0 ? 'awaited' : 'there'}
          label={words.number}
          name="channelNumberId"
          hint={change.numberHint}
          value={page.channelNumberId}
          options={numbers.map(({ id, name, number }) => ({ value: id, label: `${name} (+${number})` }))}
        />
        <TextField label={list.link.token} name="pageAccessToken" type="password" hint={change.tokenHint} />
        <TextField label={list.link.appSecret} name="appSecret" type="password" />
      </Form>
      <Unlink words={words} page={page} />
    </section>
  )
}

/** What was chosen or typed; an empty secret stays as it is. */
function changesOf(fields: FormData, page: LinkedPage): Readonly<Record<string, string>> {
  const given = (['channelNumberId', 'pageAccessToken', 'appSecret'] as const).map(
    (name) => [name, String(fields.get(name) ?? '').trim()] as const,
  )
  return Object.fromEntries(given.filter(([, value]) => value !== '' && value !== page.channelNumberId))
}

/** Unlinks the Page once its name is typed. */
function Unlink({ words, page }: LeadPageProps) {
  const { api, router, say } = useApp()
  const { unlink, list } = words
  async function act(): Promise<Fault | null> {
    const { fault } = await api.delete(routeOf(page.pageId))
    if (fault) return fault
    router.go(pagesPath(page.channelNumberId), false)
    say(unlink.done)
    return null
  }
  return (
    <div class="actions">
      <AskFirst
        action="delete"
        heading={unlink.ask}
        text={unlink.warning}
        name={nameToType({ id: page.pageId, fullName: page.pageName })}
        label={unlink.action}
        codes={list.codes}
        act={act}
      />
    </div>
  )
}
