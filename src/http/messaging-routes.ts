import type { HttpDeps } from './deps.ts'
import type { Route } from './route.ts'
import { conversationRoutes } from './routes/conversations/conversations.ts'
import { fileRoutes } from './routes/files/files.ts'
import { groupRoutes } from './routes/groups/groups.ts'
import { mediaRoutes } from './routes/media/media.ts'
import { messageRoutes } from './routes/messages/messages.ts'

/** Everything about messages: sending, reading, their media, and who they may go to. */
export function messagingRoutes(deps: HttpDeps): Route[] {
  return [...messageRoutes(deps), ...conversationRoutes(deps), ...mediaRoutes(deps), ...fileRoutes(deps), ...groupRoutes(deps)]
}
