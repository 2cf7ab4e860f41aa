import { statusEvents } from './moves.ts'
import { listedEventCtes } from '../engine/outbox.ts'

/**
 * Tells that what still waits of number `$2` of tenant `$1` will not be sent (contract 4): the number is about to be deleted, and its messages with it.
 * `$3` is the present, `$4` too as events tell it; ids of events are made of `$5` and the message's.
 */
export const ABANDON = `with waiting as (
    select m.* from messages m where m.tenant_id = $1 and m.number_id = $2 and m.due_at is not null order by m.id for update
  ), moved as (
    select id, tenant_id, number_id, 'FAILED' as status, external_id, correlation_id, 'NUMBER_NOT_FOUND_REMOVED' as error_code,
      'The number was removed before the message was sent' as error_message, null::text as error_details, null::text as upstream_code,
      to_address as address, left($5::text, 14) || left(md5($5::text || id), 16) as event_id, position as place, $4::text as happened
    from waiting
  ), ${listedEventCtes(statusEvents('moved'), '$3')}
  select count(*)::integer as count from moved`

/** Removes the counts of number `$1`, whose rows are gone. */
export const REMOVE_COUNTS = `with gone as (delete from conversation_counts where number_id = $1)
  delete from number_counts where number_id = $1`
