import { RowTenantFeed } from '../live/feed.ts'
import type { NumberId } from '../domain/ids.ts'
import type { Broadcast } from '../ports/broadcast.ts'
import type { CallMove, ConversationMove, TenantFeed } from '../ports/tenant-feed.ts'
import type { Core } from './core.ts'
import type { Storage } from './open-storage.ts'

/** Broadcast topics; the texts are moves as JSON, and the id of a number. None tells of a person. */
const TOPICS = { call: 'call.moved', number: 'number.moved', conversation: 'conversation.moved' } as const

interface LiveNeeds extends Pick<Storage, 'stores' | 'onEvents' | 'onMoved'> {
  readonly broadcast: Broadcast
}

export interface OpenLive {
  /** Goes to the REST layer. */
  readonly tenantFeed: TenantFeed
  /** Ends open streams. The shutdown calls it before it waits for running requests. */
  readonly endStreams: () => void
}

/** Opens the feed of accounts. Dashboards are told of what happens on this node and on others. */
export function openLive({ clock, log }: Core, { stores, onEvents, onMoved, broadcast }: LiveNeeds): OpenLive {
  const feed = new RowTenantFeed({ reads: stores.tenantFeedReads, clock, log })
  onEvents(() => feed.wake())
  onMoved({
    call: (move) => void broadcast.publish(TOPICS.call, JSON.stringify(move)),
    number: (numberId) => void broadcast.publish(TOPICS.number, numberId),
    conversation: (move) => void broadcast.publish(TOPICS.conversation, JSON.stringify(move)),
  })
  broadcast.subscribe(TOPICS.call, (text) => feed.callMoved(JSON.parse(text) as CallMove))
  broadcast.subscribe(TOPICS.number, (text) => feed.numberMoved(text as NumberId))
  broadcast.subscribe(TOPICS.conversation, (text) => feed.conversationMoved(JSON.parse(text) as ConversationMove))
  return { tenantFeed: feed, endStreams: () => feed.stop() }
}
