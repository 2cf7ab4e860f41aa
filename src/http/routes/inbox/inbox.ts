import { route } from '../../request/route.ts'
import type { Route } from '../../request/route.ts'
import { STREAM_HEADERS } from '../../request/event-stream.ts'
import { changeRoutes } from './changes.ts'
import type { InboxDeps } from './deps.ts'
import { INBOX_FACTS, INBOX_PATH } from './facts.ts'
import { markRoutes } from './marks.ts'
import { readRoutes } from './reads.ts'
import { sendRoutes } from './sends.ts'
import { startRoutes } from './starts.ts'
import { InboxStreams } from './stream.ts'
import { typingRoute } from './typing.ts'

/**
 * The inbox of an embed session ([embeds.inbox-routes.1] to [embeds.inbox-routes.12]): its reads, its marks, its sends,
 * its changes of what was sent ([embeds.changes.1]), the conversations it begins ([embeds.starts.1]), that its users
 * write ([embeds.typing.1]) and its stream.
 */
export function inboxRoutes(deps: InboxDeps): Route[] {
  return [
    ...readRoutes(deps),
    ...markRoutes(deps),
    ...sendRoutes(deps),
    ...changeRoutes(deps),
    ...startRoutes(deps),
    typingRoute(deps),
    stream(deps),
  ]
}

function stream(deps: InboxDeps): Route {
  const streams = new InboxStreams(deps)
  return route({
    ...INBOX_FACTS,
    method: 'get',
    path: `${INBOX_PATH}/stream`,
    name: 'streamInbox',
    summary: 'Be told of what changes',
    answer: { status: 200, description: 'Server-sent events', type: 'text/event-stream' },
    async handle({ embed, client }) {
      return {
        status: 200,
        body: null,
        type: 'text/event-stream; charset=utf-8',
        headers: STREAM_HEADERS,
        stream: await streams.open(embed, client.lastEventId),
      }
    },
  })
}
