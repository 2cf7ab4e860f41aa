import { boundNumber } from '../../../domain/caller.ts'
import { refuse, RefusalError } from '../../../domain/errors.ts'
import type { StoredEvent } from '../../../domain/events.ts'
import type { EventId } from '../../../domain/ids.ts'
import type { EventStore } from '../../../ports/stores/event-store.ts'
import { route } from '../../request/route.ts'
import type { Route } from '../../request/route.ts'
import { SAMPLE } from '../samples.ts'
import * as schema from './schema.ts'

const EXAMPLE = {
  events: [
    {
      id: SAMPLE.eventId,
      event: 'number.connected',
      channelNumberId: SAMPLE.numberId,
      timestamp: SAMPLE.createdAt,
      data: {
        numberId: SAMPLE.numberId,
        number: `+${SAMPLE.number}`,
        name: 'Front desk',
        state: 'OPEN',
        createdAt: SAMPLE.createdAt,
      },
    },
  ],
}

export interface EventDeps {
  readonly events: EventStore
}

/** Stored events, so that a consumer that was away can catch up. our choice: the list exists beside webhooks. */
export function eventRoutes(deps: EventDeps): Route[] {
  const list = route({
    method: 'get',
    path: '/v1/events',
    name: 'listEvents',
    group: 'Events',
    access: { by: ['key', 'grant', 'session'], of: 'either' },
    permission: 'webhooks:read',
    summary: 'List stored events, oldest first',
    description:
      'Events are kept for 30 days. A number key sees the events of its number, a tenant key those of all, or of the one that `x-channel-number-id` names. Pass the last id seen as `after` to go on.',
    query: schema.listQuery,
    queryCodes: { event: 'INVALID_EVENT' },
    answer: { status: 200, description: 'One page of events', schema: schema.events, example: EXAMPLE },
    refusals: ['NOT_FOUND'],
    handle: async ({ caller, narrowedTo, query }) => {
      const scope = { tenantId: caller.tenantId, numberId: boundNumber(caller) ?? narrowedTo }
      const events = await deps.events.list(scope, {
        limit: query.limit ?? schema.DEFAULT_LIMIT,
        after: (query.after ?? null) as EventId | null,
        event: query.event ?? null,
      })
      if (events === null)
        throw new RefusalError(
          refuse('NOT_FOUND', 'No stored event has this id; leave `after` out to start from the oldest'),
        )
      return { status: 200, body: { events: events.map(presentEvent) } }
    },
  })
  return [list]
}

/** The envelope of our own events ([events.envelope.1]). */
export function presentEvent(event: StoredEvent) {
  return {
    id: event.id,
    event: event.event,
    channelNumberId: event.numberId,
    timestamp: event.createdAt.toISOString(),
    data: event.data,
  }
}
