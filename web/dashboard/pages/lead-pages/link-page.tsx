import { useEffect, useRef } from 'preact/hooks'
import { kindOf } from '../../../../src/domain/kinds/kinds.ts'
import { Form, TextField } from '../../ground/form.tsx'
import type { ListedNumber } from '../../ground/numbers.ts'
import { useApp } from '../../shell/app.ts'
import type { CreatedPage, LeadPagesWords } from './linked-page.ts'

interface LinkProps {
  readonly words: LeadPagesWords
  readonly number: ListedNumber
  close(): void
  done(page: CreatedPage): void
}

/** The fields of a link; those that are left empty are the number's own ([leads.routes.4]). */
const FIELDS = ['pageId', 'pageAccessToken', 'appId', 'appSecret'] as const

/** The form that links a Page to a number. */
export function LinkPage({ words: { link, codes }, number, close, done }: LinkProps) {
  const { api, words: ground } = useApp()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const isNeeded = !kindOf(number).hasAccount
  const hint = isNeeded ? {} : { hint: link.ownHint }
  return (
    <section class="card" aria-labelledby="link">
      <h2 id="link" ref={heading} tabIndex={-1}>
        {link.open}
      </h2>
      <p class="muted">{link.text}</p>
      <Form<CreatedPage>
        name="lead-page"
        submit={link.send}
        action="create"
        codes={codes}
        more={
          <button type="button" class="button quiet" data-action="cancel" onClick={close}>
            {ground.cancel}
          </button>
        }
        send={(fields) => api.post('/api/v1/lead-pages', { ...givenOf(fields), channelNumberId: number.id })}
        done={done}
      >
        <TextField label={link.pageId} name="pageId" isRequired maxLength={32} />
        <TextField label={link.token} name="pageAccessToken" type="password" hint={link.tokenHint} isRequired />
        <TextField label={link.appId} name="appId" maxLength={32} isRequired={isNeeded} {...hint} />
        <TextField label={link.appSecret} name="appSecret" type="password" isRequired={isNeeded} {...hint} />
      </Form>
    </section>
  )
}

function givenOf(fields: FormData): object {
  const given = FIELDS.map((name) => [name, String(fields.get(name) ?? '').trim()] as const)
  return Object.fromEntries(given.filter(([, value]) => value !== ''))
}
