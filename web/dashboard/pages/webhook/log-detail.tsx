import { useState } from 'preact/hooks'
import { CopyButton } from '../../../ui/copy-button.tsx'
import type { Fault } from '../../../ui/session/answers.ts'
import { FaultLine } from '../../ground/asked.tsx'
import { Dialog } from '../../ground/confirm.tsx'
import { Badge, CopyText, Time } from '../../ground/shown.tsx'
import { useApp } from '../../shell/app.ts'
import { TextBox } from '../hooks/text-box.tsx'
import { asCurl } from './curl.ts'
import type { LogItem } from './log-item.ts'
import type { PartProps } from './props.ts'

interface DetailProps extends PartProps {
  readonly item: LogItem
  /** Null when the role may not. */
  readonly redeliver: ((item: LogItem) => Promise<Fault | null>) | null
  close(): void
}

/** An attempt as a whole: what was sent and what came back, as text. */
export function LogDetail({ words, webhook, item, redeliver, close }: DetailProps) {
  const { words: shared } = useApp()
  const [fault, fail] = useState<Fault | null>(null)
  const { hooks, detail } = words
  async function again(): Promise<void> {
    if (redeliver === null) return
    const refused = await redeliver(item)
    if (refused === null) close()
    else fail(refused)
  }
  return (
    <Dialog heading={item.event} close={close}>
      <div class="detail">
        <Facts words={words} webhook={webhook} item={item} />
        <Payload words={words} webhook={webhook} item={item} />
        <h3>{detail.response}</h3>
        {item.response === '' ? (
          <p class="muted">{words.noAnswer}</p>
        ) : (
          <TextBox label={detail.response} text={item.response} />
        )}
        {fault !== null && <FaultLine fault={fault} codes={hooks.codes} />}
        <div class="actions">
          <button type="button" class="button quiet" data-action="cancel" onClick={close}>
            {shared.close}
          </button>
          {redeliver !== null && (
            <button type="button" class="button primary" data-action="redeliver" onClick={() => void again()}>
              {words.log.redeliver}
            </button>
          )}
        </div>
      </div>
    </Dialog>
  )
}

function Facts({ words: { log, detail }, item }: Pick<DetailProps, 'words' | 'webhook' | 'item'>) {
  return (
    <dl class="facts">
      <dt>{log.columns.status}</dt>
      <dd>
        <Badge tone={item.status === 'SUCCESS' ? 'good' : 'bad'} text={log.statuses[item.status]} />
      </dd>
      <dt>{log.columns.code}</dt>
      <dd>{item.statusCode === 0 ? log.noCode : item.statusCode}</dd>
      <dt>{log.columns.duration}</dt>
      <dd>{item.durationMs} ms</dd>
      <dt>{log.columns.attempt}</dt>
      <dd>{item.attempt}</dd>
      <dt>{log.columns.at}</dt>
      <dd>
        <Time at={item.createdAt} style="long" />
      </dd>
      <dt>{detail.eventId}</dt>
      <dd>
        <CopyText text={item.eventId} />
      </dd>
    </dl>
  )
}

function Payload({ words: { hooks, detail }, webhook, item }: Pick<DetailProps, 'words' | 'webhook' | 'item'>) {
  const { words: shared, clock } = useApp()
  return (
    <>
      <h3>{hooks.payload}</h3>
      {item.payload === '' ? (
        <p class="muted">{hooks.noPayload}</p>
      ) : (
        <>
          <TextBox label={hooks.payload} text={item.payload} />
          <div class="copied">
            <CopyButton text={item.payload} words={{ ...shared.copy, copy: hooks.copyPayload }} clock={clock} />
            <CopyButton
              text={asCurl(webhook.url, webhook.channelNumberIds[0] ?? '', item)}
              words={{ ...shared.copy, copy: detail.curl }}
              clock={clock}
            />
          </div>
          <p class="hint">{detail.curlHint}</p>
        </>
      )}
    </>
  )
}
