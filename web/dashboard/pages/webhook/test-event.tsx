import { useState } from 'preact/hooks'
import type { Answer } from '../../../ui/session/answers.ts'
import { FaultLine } from '../../ground/asked.tsx'
import { useApp } from '../../shell/app.ts'
import { TextBox } from '../hooks/text-box.tsx'
import type { LogItem } from './log-item.ts'
import type { PartProps, WebhookWords } from './props.ts'

/** Sends the test event, and shows what the receiver answered ([webhooks.routes.6]). */
export function SendTest({ words, webhook, done }: PartProps & { done(): void }) {
  const { api, can } = useApp()
  const [isBusy, busy] = useState(false)
  const [answer, show] = useState<Answer<LogItem> | null>(null)
  if (!can('webhooks:manage')) return null
  async function send(): Promise<void> {
    busy(true)
    show(await api.post<LogItem>(`/api/v1/webhooks/${encodeURIComponent(webhook.id)}/test`))
    busy(false)
    done()
  }
  return (
    <section class="card" aria-label={words.test}>
      <div class="actions">
        <button type="button" class="button quiet" data-action="test" disabled={isBusy} onClick={() => void send()}>
          {isBusy ? words.testing : words.test}
        </button>
      </div>
      <div role="status">{answer?.body !== undefined && <p>{resultOf(words, answer.body)}</p>}</div>
      {answer?.fault && <FaultLine fault={answer.fault} codes={words.hooks.codes} />}
      {answer?.body && (
        <div data-test={answer.body.status}>
          {answer.body.response === '' ? (
            <p class="muted">{words.noAnswer}</p>
          ) : (
            <TextBox label={words.answer} text={answer.body.response} />
          )}
        </div>
      )}
    </section>
  )
}

function resultOf(words: WebhookWords, { status, statusCode, durationMs }: LogItem): string {
  if (status === 'SUCCESS') return words.testPassed(statusCode, durationMs)
  return statusCode === 0 ? words.testLost(durationMs) : words.testRefused(statusCode, durationMs)
}
