import { STREAM_HEADERS } from '../../request/event-stream.ts'
import { route } from '../../request/route.ts'
import type { Route } from '../../request/route.ts'
import { LiveStreams, type LiveDeps } from './stream.ts'

/** What happens in the account, for its dashboard ([dashboard.routes.3]). */
export function liveRoutes(deps: LiveDeps): Route[] {
  const streams = new LiveStreams(deps)
  const stream = route({
    method: 'get',
    path: '/api/stream',
    name: 'streamAccount',
    group: 'Events',
    isHidden: true,
    access: { by: ['session'], of: 'caller' },
    summary: 'Be told of what happens in the account',
    answer: { status: 200, description: 'Server-sent events', type: 'text/event-stream' },
    async handle({ session, caller, client }) {
      return {
        status: 200,
        body: null,
        type: 'text/event-stream; charset=utf-8',
        headers: STREAM_HEADERS,
        stream: await streams.open(session, caller, client.lastEventId),
      }
    },
  })
  return [stream]
}
