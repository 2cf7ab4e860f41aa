import type { MessageStatus } from '../../../../src/domain/message.ts'
import { Asked, useAsked } from '../../ground/asked.tsx'
import { Badge, CopyText } from '../../ground/shown.tsx'
import type { Tone } from '../../ground/shown.tsx'
import { useLive } from '../../ground/use-live.ts'
import { useApp } from '../../shell/app.ts'
import type { TemplateWords } from './props.ts'

/** A message as the service reads it ([messages.routes.1]); what the page uses of it. */
interface SentMessage {
  readonly id: string
  readonly status: MessageStatus
  readonly errorCode: string | null
  /** In English, with upstream's own words. */
  readonly errorMessage: string | null
}

const TONES: Readonly<Record<MessageStatus, Tone>> = {
  QUEUED: 'calm',
  SENT: 'calm',
  DELIVERED: 'good',
  READ: 'good',
  RECEIVED: 'good',
  FAILED: 'bad',
  CANCELED: 'calm',
}

interface SentProps {
  readonly words: TemplateWords
  /** The id of the message. */
  readonly id: string
  readonly number: string
}

/** What became of a message that was just sent. Events of it have it read anew; a role without them asks itself. */
export function Sent({ words, id, number }: SentProps) {
  const { api } = useApp()
  const { send } = words
  const path = `/api/v1/messages/${encodeURIComponent(id)}`
  const message = useAsked((signal) => api.get<SentMessage>(path, { number, signal }), [path, number])
  useLive({ event: ({ data }) => data['internalMessageId'] === id && message.again() })
  return (
    <Asked of={message}>
      {({ status, errorCode, errorMessage }) => (
        <div class="part sent-message" role="status" data-message={id} data-status={status}>
          <p>
            <Badge tone={TONES[status]} text={send.statuses[status]} /> {send.meanings[status]}
          </p>
          {errorCode !== null && (
            <p data-code={errorCode}>
              {(send.failures as Readonly<Record<string, string>>)[errorCode] ?? send.refused}{' '}
              <bdi class="muted" lang="en">
                {errorMessage ?? errorCode}
              </bdi>
            </p>
          )}
          <p class="muted">
            <CopyText text={id} />
          </p>
          {(status === 'QUEUED' || status === 'SENT' || status === 'DELIVERED') && (
            <div class="actions">
              <button type="button" class="button quiet small" data-action="check" onClick={() => message.again()}>
                {send.check}
              </button>
            </div>
          )}
        </div>
      )}
    </Asked>
  )
}
