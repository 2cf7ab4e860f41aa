import { useState } from 'preact/hooks'
import { Empty, FaultLine } from '../../ground/asked.tsx'
import { useList } from '../../ground/use-list.ts'
import type { EventFrame } from '../../live/frames.ts'
import { useApp } from '../../shell/app.ts'
import { EventList } from './event-list.tsx'
import type { EventsProps } from './props.ts'

/** Our choice: events of a page, which the service answers unless asked for more. */
const PAGE = 100

/** The events of the last 30 days, which are read once somebody wants them. */
export function Stored(props: EventsProps) {
  const [isOpen, open] = useState(false)
  const { stored } = props.words
  return (
    <section class="card" aria-labelledby="stored">
      <h2 id="stored">{stored.heading}</h2>
      <p class="muted">{stored.text}</p>
      {isOpen ? (
        <StoredList {...props} />
      ) : (
        <div class="actions">
          <button type="button" class="button quiet" data-action="read" onClick={() => open(true)}>
            {stored.read}
          </button>
        </div>
      )}
    </section>
  )
}

function StoredList({ wanted, ...props }: EventsProps) {
  const { api, words: shared } = useApp()
  const { words } = props
  // Pages go from the oldest event on, so each begins after the last event of the one before.
  const list = useList<EventFrame>(
    {
      async read(after, signal) {
        const answer = await api.get<{ readonly events: readonly EventFrame[] }>('/api/v1/events', {
          query: { limit: PAGE, after, event: wanted.event },
          signal,
          ...(wanted.number === null ? {} : { number: wanted.number }),
        })
        return answer.fault ? answer : { body: answer.body.events }
      },
      beforeOf: ({ id }) => id,
      pageSize: PAGE,
    },
    [wanted.event, wanted.number],
  )
  if (list.items === null)
    return list.fault === null ? (
      <div class="bone" aria-busy="true" role="status">
        <span class="unseen">{shared.loading}</span>
      </div>
    ) : (
      <FaultLine fault={list.fault} codes={words.hooks.codes} again={list.again} />
    )
  return (
    <>
      {list.fault !== null && <FaultLine fault={list.fault} codes={words.hooks.codes} again={list.again} />}
      {list.items.length === 0 ? (
        <Empty text={words.stored.none} />
      ) : (
        <EventList
          {...props}
          label={words.stored.heading}
          events={list.items}
          isLoadingMore={list.isLoadingMore}
          {...(list.hasMore ? { more: list.more } : {})}
        />
      )}
    </>
  )
}
