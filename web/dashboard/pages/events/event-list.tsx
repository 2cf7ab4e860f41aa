import { List } from '../../ground/list.tsx'
import { NumberName, Time } from '../../ground/shown.tsx'
import type { EventFrame } from '../../live/frames.ts'
import { numberIn } from '../../ground/numbers.ts'
import type { EventsProps } from './props.ts'

interface EventListProps extends Omit<EventsProps, 'wanted'> {
  readonly label: string
  readonly events: readonly EventFrame[]
  /** Reads more events; absent when there are none. */
  more?(): void
  readonly isLoadingMore?: boolean
}

/** Events as rows, each of which shows its event as a whole. */
export function EventList({ words, numbers, label, events, show, ...rest }: EventListProps) {
  const { columns } = words
  return (
    <List
      label={label}
      items={events}
      columns={[columns.event, columns.number, columns.at]}
      hooksOf={({ id }) => ({ id })}
      row={(event) => [
        <button type="button" class="as-link" title={words.show(event.event)} onClick={() => show(event)}>
          {event.event}
        </button>,
        <NumberOf numbers={numbers} id={event.channelNumberId} />,
        <Time at={event.timestamp} />,
      ]}
      {...rest}
    />
  )
}

/** The number of an event: its name, its id when it is not there any more, and nothing where the event has none. */
export function NumberOf({ numbers, id }: Pick<EventsProps, 'numbers'> & { readonly id: string | null }) {
  const number = numberIn(numbers, id)
  if (number === null) return <code dir="ltr">{id ?? ''}</code>
  return (
    <span>
      <NumberName name={number.name} number={number.number} />
    </span>
  )
}
