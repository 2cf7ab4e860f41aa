import { useState } from 'preact/hooks'
import type { Fault } from '../../../ui/session/answers.ts'
import { FaultLine } from '../../ground/asked.tsx'
import { Time } from '../../ground/shown.tsx'
import { useApp } from '../../shell/app.ts'
import type { Webhook } from '../hooks/webhook.ts'
import type { PartProps } from './props.ts'

interface StandingProps extends PartProps {
  /** Failed attempts of the last 24 hours; null when the last delivery succeeded. */
  readonly failed: number | null
  change(next: (now: Webhook) => Webhook): void
}

/** Why nothing is delivered, or what fails, with the way out; a webhook that works can be paused. */
export function Standing({ words, webhook, failed, change }: StandingProps) {
  const { api, can, say } = useApp()
  const [isBusy, busy] = useState(false)
  const [fault, fail] = useState<Fault | null>(null)
  async function turn(active: boolean): Promise<void> {
    busy(true)
    const answer = await api.patch<Webhook>(`/api/v1/webhooks/${encodeURIComponent(webhook.id)}`, { active })
    busy(false)
    fail(answer.fault ?? null)
    if (answer.fault) return
    change(() => answer.body)
    say(active ? words.resumed : words.paused)
  }
  const isOff = !webhook.active || webhook.disabledReason !== null
  return (
    <>
      {isOff ? (
        <WhyOff words={words} webhook={webhook} />
      ) : (
        failed !== null && <Failing words={words} failed={failed} />
      )}
      {fault !== null && <FaultLine fault={fault} codes={words.hooks.codes} />}
      {can('webhooks:manage') && (
        <div class="actions">
          <button
            type="button"
            class={isOff ? 'button primary' : 'button quiet'}
            data-action={isOff ? 'resume' : 'pause'}
            disabled={isBusy}
            onClick={() => void turn(isOff)}
          >
            {isOff ? (webhook.disabledReason === null ? words.resume : words.enable) : words.pause}
          </button>
        </div>
      )}
    </>
  )
}

/** Why the webhook is off: the service switched it off ([webhooks.retries.4], [webhooks.retries.5]), or a person did.
 * The last delivery is the one that switched it off. */
function WhyOff({ words, webhook: { disabledReason, lastTriggered } }: PartProps) {
  if (disabledReason === null)
    return (
      <section class="card" aria-labelledby="paused" data-off="PAUSED">
        <h2 id="paused">{words.pausedCard.heading}</h2>
        <p>{words.pausedCard.text}</p>
      </section>
    )
  const { disabled } = words
  return (
    <section class="card warning" aria-labelledby="disabled" data-off={disabledReason}>
      <h2 id="disabled">{disabled.heading}</h2>
      <p>{disabled[disabledReason]}</p>
      <p>
        {disabled.since}: <Time at={lastTriggered} />
      </p>
      <p>{disabled.text}</p>
    </section>
  )
}

function Failing({ words, failed }: Pick<PartProps, 'words'> & { readonly failed: number }) {
  return (
    <p class="warning" data-failing={failed}>
      {failed > 0 && `${words.failing(failed)} `}
      {words.failingText}
    </p>
  )
}
