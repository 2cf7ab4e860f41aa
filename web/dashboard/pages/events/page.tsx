import { useState } from 'preact/hooks'
import { SelectField } from '../../ground/form.tsx'
import { PageFrame } from '../../ground/page.tsx'
import { useApp } from '../../shell/app.ts'
import type { PageProps } from '../../shell/page-files.ts'
import type { EventFrame } from '../../live/frames.ts'
import { useNumbers } from '../../ground/numbers.ts'
import { STORED_EVENTS } from '../hooks/picked-events.ts'
import { EventDetail } from './detail.tsx'
import type { EventsProps, EventsWords } from './props.ts'
import { Stored } from './stored.tsx'
import { Tail } from './tail.tsx'

/** All events: those that happen now, and those of the last 30 days. */
export function Page({ words, query }: PageProps<EventsWords>) {
  const numbers = useNumbers()
  const [shown, show] = useState<EventFrame | null>(null)
  const wanted = { event: query.get('event'), number: query.get('number') }
  const props = { words, wanted, numbers: numbers.body, show }
  return (
    <PageFrame name="events" heading={words.heading}>
      <Filters {...props} />
      <Tail {...props} />
      <Stored key={`${wanted.event} ${wanted.number}`} {...props} />
      {shown !== null && <EventDetail words={words} event={shown} numbers={numbers.body} close={() => show(null)} />}
    </PageFrame>
  )
}

function Filters({ words, wanted, numbers }: EventsProps) {
  const { router } = useApp()
  return (
    <div class="filters">
      <SelectField
        label={words.event}
        name="event"
        value={wanted.event ?? ''}
        options={[{ value: '', label: words.anyEvent }, ...STORED_EVENTS.map((name) => ({ value: name, label: name }))]}
        change={(value) => router.ask({ event: value === '' ? null : value })}
      />
      <SelectField
        key={numbers === null ? 'awaited' : 'there'}
        label={words.number}
        name="number"
        value={wanted.number ?? ''}
        options={[
          { value: '', label: words.anyNumber },
          ...(numbers ?? []).map(({ id, name, number }) => ({ value: id, label: `${name} (+${number})` })),
        ]}
        change={(value) => router.ask({ number: value === '' ? null : value })}
      />
    </div>
  )
}
