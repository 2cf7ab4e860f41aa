import { useState } from 'preact/hooks'
import { Empty } from '../../ground/asked.tsx'
import { useLive } from '../../ground/use-live.ts'
import type { EventFrame } from '../../live/frames.ts'
import { useApp } from '../../shell/app.ts'
import { EventList } from './event-list.tsx'
import type { EventsProps, Wanted } from './props.ts'

/** Our choice: the page keeps this many live events, the newest ones; a person follows no more. */
const MOST_KEPT = 1_000

/** The events since the page was opened, newest first; `held` came while the tail was paused. */
interface Told {
  readonly events: readonly EventFrame[]
  readonly held: readonly EventFrame[]
}

/** The events as they happen. A paused tail stands still, and counts what waits. */
export function Tail({ wanted, ...props }: EventsProps) {
  const { news } = useApp()
  const [told, tell] = useState<Told>({ events: [], held: [] })
  const [isPaused, pause] = useState(false)
  useLive({
    event: (frame) =>
      tell(({ events, held }) =>
        [...held, ...events].some(({ id }) => id === frame.id)
          ? { events, held }
          : isPaused
            ? { events, held: newest([frame, ...held]) }
            : { events: newest([frame, ...events]), held },
      ),
  })
  function turn(): void {
    if (isPaused) tell(({ events, held }) => ({ events: newest([...held, ...events]), held: [] }))
    pause(!isPaused)
  }
  const { live } = props.words
  const shown = told.events.filter((event) => isWanted(event, wanted))
  const waiting = told.held.filter((event) => isWanted(event, wanted)).length
  return (
    <section class="card" aria-labelledby="live" data-tail={isPaused ? 'paused' : 'live'}>
      <h2 id="live">{live.heading}</h2>
      {news.state.value === 'off' && <p class="warn-text">{live.off}</p>}
      <div class="actions">
        <button type="button" class="button quiet" data-action={isPaused ? 'go-on' : 'pause'} onClick={turn}>
          {isPaused ? live.go : live.pause}
        </button>
      </div>
      <p class="muted" role="status" data-held={waiting}>
        {isPaused ? (waiting === 0 ? live.paused : live.held(waiting)) : ''}
      </p>
      {shown.length === 0 ? (
        <Empty text={told.events.length === 0 ? live.none : live.noneSuch} />
      ) : (
        <EventList {...props} label={live.heading} events={shown} />
      )}
      {told.events.length === MOST_KEPT && <p class="hint">{live.most(MOST_KEPT)}</p>}
    </section>
  )
}

function newest(events: readonly EventFrame[]): readonly EventFrame[] {
  return events.slice(0, MOST_KEPT)
}

function isWanted({ event, channelNumberId }: EventFrame, wanted: Wanted): boolean {
  return (
    (wanted.event === null || wanted.event === event) && (wanted.number === null || wanted.number === channelNumberId)
  )
}
