import { eventFacts, isEventName, type StoredEvent } from '../domain/events.ts'
import { fieldsIn, listIn, textIn, type Fields } from '../domain/json-fields.ts'
import type { Labels, Metrics } from '../ports/metrics.ts'

/** What an event adds to the metrics: a series, its labels and a number. */
interface Told {
  readonly of: 'messages' | 'calls'
  readonly labels: Labels
  readonly count: number
}

function message(direction: 'INBOUND' | 'OUTBOUND', status: string, code = '', count = 1): Told {
  return { of: 'messages', labels: { direction, status, code }, count }
}

/**
 * What one event adds to the metrics; null for an event of neither messages nor calls. Inbound messages of OFFICIAL
 * numbers have no event but the native change.
 */
export function toldBy({ event, data }: Pick<StoredEvent, 'event' | 'data'>): Told | null {
  if (!isEventName(event)) return nativeMessages(listIn(data, 'entry').flatMap((entry) => listIn(entry, 'changes')))
  const { countsAs } = eventFacts(event)
  if (countsAs === null) return null
  if (countsAs !== 'CALL_OVER')
    return message(countsAs === 'RECEIVED' ? 'INBOUND' : 'OUTBOUND', countsAs, textIn(data, 'code') ?? '')
  return {
    of: 'calls',
    labels: {
      direction: textIn(data, 'direction') ?? '',
      outcome: textIn(data, 'status') ?? '',
      code: textIn(data, 'errorCode') ?? '',
    },
    count: 1,
  }
}

function nativeMessages(changes: readonly Fields[]): Told | null {
  const count = changes.flatMap((change) => listIn(fieldsIn(change, 'value'), 'messages')).length
  return count === 0 ? null : message('INBOUND', 'RECEIVED', '', count)
}

/**
 * Counts messages and calls by their events, once each event is handed to the queue. One node counts each event; it is
 * counted again only when a node was killed while handing it over.
 */
export function createEventMetrics(metrics: Metrics): (events: readonly Pick<StoredEvent, 'event' | 'data'>[]) => void {
  const series = {
    messages: metrics.counter(
      'messages_total',
      'Messages, by direction, the status they came to and the code of a failure.',
      ['direction', 'status', 'code'],
    ),
    calls: metrics.counter('calls_total', 'Calls that are over, by direction, status and code of a failure.', [
      'direction',
      'outcome',
      'code',
    ]),
  }
  return (events) => {
    for (const told of events.map(toldBy)) if (told) series[told.of].add(told.labels, told.count)
  }
}
