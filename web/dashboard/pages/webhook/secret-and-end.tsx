import { useState } from 'preact/hooks'
import { AskFirst } from '../../ground/ask-first.tsx'
import { Secret, Time } from '../../ground/shown.tsx'
import { useApp } from '../../shell/app.ts'
import type { PartProps } from './props.ts'

/** The answer to a rotation: the secret, for the only time. */
interface Rotated {
  readonly secret: string
  readonly previousSecretExpiresAt: string
}

/** The signing secret, which is rotated once the name of the webhook is typed ([webhooks.routes.7]). */
export function RotateSecret({ words, webhook }: PartProps) {
  const { api } = useApp()
  const [rotated, show] = useState<Rotated | null>(null)
  const { secret } = words
  async function rotate() {
    const { body, fault } = await api.post<Rotated>(`/api/v1/webhooks/${encodeURIComponent(webhook.id)}/secret`)
    if (fault) return fault
    show(body)
    return null
  }
  return (
    <section class="card" aria-labelledby="secret">
      <h2 id="secret">{secret.heading}</h2>
      <p>{secret.text}</p>
      {rotated !== null && (
        <>
          <Secret value={rotated.secret} label={secret.shown} />
          <p>
            {secret.until} <Time at={rotated.previousSecretExpiresAt} />
          </p>
        </>
      )}
      <div class="actions">
        <AskFirst
          action="rotate"
          heading={secret.rotate}
          text={`${secret.text} ${secret.lost}`}
          name={nameOf(webhook)}
          label={secret.rotate}
          codes={words.hooks.codes}
          act={rotate}
        />
      </div>
    </section>
  )
}

/** The end of a webhook, once its name is typed. */
export function Removal({ words, webhook }: PartProps) {
  const { api, router, say } = useApp()
  const { remove } = words
  async function end() {
    const { fault } = await api.delete(`/api/v1/webhooks/${encodeURIComponent(webhook.id)}`)
    if (fault) return fault
    router.go('/dashboard/webhooks', false)
    say(remove.done)
    return null
  }
  return (
    <section class="card" aria-labelledby="delete">
      <h2 id="delete">{remove.heading}</h2>
      <p>{remove.text}</p>
      <div class="actions">
        <AskFirst
          action="delete"
          heading={remove.action}
          text={remove.text}
          name={nameOf(webhook)}
          label={remove.action}
          codes={words.hooks.codes}
          act={end}
        />
      </div>
    </section>
  )
}

/** What has to be typed: the name, or the id of a webhook that has none. */
function nameOf({ name, id }: PartProps['webhook']): string {
  return name ?? id
}
