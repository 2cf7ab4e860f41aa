import { useMemo } from 'preact/hooks'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Dialog } from '../../ground/confirm.tsx'
import { CopyText, Time } from '../../ground/shown.tsx'
import type { EventFrame } from '../../live/frames.ts'
import { useApp } from '../../shell/app.ts'
import { TextBox } from '../hooks/text-box.tsx'
import { NumberOf } from './event-list.tsx'
import type { EventsProps } from './props.ts'

interface DetailProps extends Pick<EventsProps, 'words' | 'numbers'> {
  readonly event: EventFrame
  close(): void
}

/** An event as a whole, its envelope as text. */
export function EventDetail({ words, numbers, event, close }: DetailProps) {
  const { words: shared, clock } = useApp()
  const { hooks, columns } = words
  const text = useMemo(() => JSON.stringify(event, null, 2), [event])
  return (
    <Dialog heading={event.event} close={close}>
      <div class="detail">
        <dl class="facts">
          <dt>{columns.number}</dt>
          <dd>
            <NumberOf numbers={numbers} id={event.channelNumberId} />
          </dd>
          <dt>{columns.at}</dt>
          <dd>
            <Time at={event.timestamp} style="long" />
          </dd>
          <dt>{words.eventId}</dt>
          <dd>
            <CopyText text={event.id} />
          </dd>
        </dl>
        <h3>{hooks.payload}</h3>
        <TextBox label={hooks.payload} text={text} />
        <div class="copied">
          <CopyButton text={text} words={{ ...shared.copy, copy: hooks.copyPayload }} clock={clock} />
        </div>
        <div class="actions">
          <button type="button" class="button quiet" data-action="cancel" onClick={close}>
            {shared.close}
          </button>
        </div>
      </div>
    </Dialog>
  )
}
