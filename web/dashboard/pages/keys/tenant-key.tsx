import { useState } from 'preact/hooks'
import type { Fault } from '../../../ui/session/answers.ts'
import { Asked, useAsked } from '../../ground/asked.tsx'
import { Confirm } from '../../ground/confirm.tsx'
import { Secret, Time } from '../../ground/shown.tsx'
import { useApp } from '../../shell/app.ts'
import type { KeysWords } from './keys-words.ts'

/** What is shown of the key of the account ([dashboard.routes.4]). */
interface ShownKey {
  readonly keyLast4: string
  readonly createdAt: string
}

/** The key of the account, which is never shown again once it was made, and can be replaced. */
export function TenantKey({ words: { tenant, numbers } }: { readonly words: KeysWords }) {
  const { api, session } = useApp()
  const key = useAsked((signal) => api.get<ShownKey>('/api/tenant-key', { signal }), [])
  const [isAsked, ask] = useState(false)
  const [made, show] = useState<string | null>(null)
  async function act(): Promise<Fault | null> {
    const { body, fault } = await api.post<{ readonly key: string }>('/api/v1/api-keys/regenerate')
    if (fault) return fault
    show(body.key)
    ask(false)
    key.again()
    return null
  }
  return (
    <section class="card" aria-labelledby="tenant-key" data-tenant-key>
      <h2 id="tenant-key">{tenant.heading}</h2>
      <p class="muted">{tenant.text}</p>
      {made !== null && <Secret value={made} label={tenant.shown} />}
      <Asked of={key} codes={{ NOT_FOUND: tenant.none }}>
        {({ keyLast4, createdAt }) => (
          <p>
            <span data-last4>{numbers.ends(keyLast4)}</span>{' '}
            <span class="muted">
              {tenant.created}: <Time at={createdAt} />
            </span>
          </p>
        )}
      </Asked>
      <div class="actions">
        <button type="button" class="button quiet" data-action="rotate" onClick={() => ask(true)}>
          {tenant.rotate}
        </button>
      </div>
      {isAsked && (
        <Confirm
          heading={tenant.ask}
          text={tenant.warning}
          name={session.tenant.name}
          label={tenant.rotate}
          act={act}
          close={() => ask(false)}
        />
      )}
    </section>
  )
}
