import type { NewEvent } from '../../domain/events.ts'
import { newId } from '../../domain/ids.ts'

/**
 * Events as one SQL parameter: a JSON list of `{id, event, data, trace}`, `data` already as the text that
 * will be delivered. NUL and lone surrogates travel as JSON escapes and so survive any column.
 */
export function toOutboxParameter(events: readonly NewEvent[]): string {
  return JSON.stringify(
    events.map(({ event, data, trace }) => ({ id: newId('evt'), event, data: JSON.stringify(data), trace })),
  )
}

/**
 * SQL of CTEs that store the events of parameter `events` for each row of the CTE `source`, which must have `tenant_id`
 * and `number_id`, in the order they were given: the event itself, which is kept, and a thin row of the outbox, which
 * the relay removes. `now` is the time parameter.
 */
export function eventCtes(source: string, events: string, now: string): string {
  return `told as (
      insert into events (id, tenant_id, number_id, event, data, created_at, trace)
      select item ->> 'id', source.tenant_id, source.number_id, item ->> 'event', item ->> 'data', ${now}::timestamptz, item ->> 'trace'
      from ${source} source, json_array_elements(${events}::json) with ordinality as listed (item, place)
      order by place
      returning id, position
    ), queued as (
      insert into outbox (event_id) select id from told order by position
    )`
}

/**
 * SQL of CTEs that store the events of the query `listed`, which gives `event_id`, `tenant_id`, `number_id`, `event`,
 * `data` and `trace` in the order in which they are told. `now` is the time parameter.
 */
export function listedEventCtes(listed: string, now: string): string {
  return `told as (
      insert into events (id, tenant_id, number_id, event, data, created_at, trace)
      select event_id, tenant_id, number_id, event, data, ${now}::timestamptz, trace from (${listed}) listed
      returning id, position
    ), queued as (
      insert into outbox (event_id) select id from told order by position
    )`
}
