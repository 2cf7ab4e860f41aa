import { createInbox, type InboxCommands } from '../commands/inbox/inbox.ts'
import type { InboxPorts } from '../commands/inbox/ports.ts'
import { RowInboxFeed } from '../inbox/feed.ts'
import { pacedTyping } from '../inbox/paced-typing.ts'
import type { Broadcast } from '../ports/broadcast.ts'
import type { ChangedRows, InboxFeed, TypedIn } from '../ports/inbox-feed.ts'
import type { TellPeerTyping } from '../ports/peer-typing.ts'
import { peerIdsOf } from '../storage/conversations/conversation-id.ts'
import type { Core } from './core.ts'
import type { Storage } from './open-storage.ts'

/** Broadcast topics; the texts are ChangedRows and TypedIn as JSON. */
const INBOX_CHANGED = 'inbox.changed'
const INBOX_TYPED = 'inbox.typed'

interface InboxNeeds
  extends
    Pick<Storage, 'stores' | 'cipher' | 'onEvents' | 'onChanged'>,
    Pick<InboxPorts, 'messageCommands' | 'files' | 'mediaKnown' | 'officialOf' | 'marksStored'> {
  readonly broadcast: Broadcast
}

export interface OpenInbox {
  /** This and the feed go to the REST layer. */
  readonly inboxCommands: InboxCommands
  readonly inboxFeed: InboxFeed
  /** Goes to the numbers. */
  readonly peerTyping: TellPeerTyping
  /** Ends open streams. The shutdown calls it before it waits for running requests. */
  readonly endStreams: () => void
}

/** Opens the commands of inboxes and their feed. Readers of an inbox are told of changes on this node and on others. */
export function openInbox({ clock, log }: Core, needs: InboxNeeds): OpenInbox {
  const { stores, cipher, onEvents, onChanged, broadcast } = needs
  const feed = new RowInboxFeed({ reads: stores.inboxReads, changes: stores.inboxChanges, clock, log })
  onEvents(() => feed.wake())
  onChanged((rows) => void broadcast.publish(INBOX_CHANGED, JSON.stringify(rows)))
  broadcast.subscribe(INBOX_CHANGED, (text) => feed.changed(JSON.parse(text) as ChangedRows))
  const peerTyping = pacedTyping(clock, ({ numberId, peer, state }) => {
    const { id, others } = peerIdsOf(cipher, numberId, peer)
    const typed: TypedIn = { numberId, conversationIds: [id, ...(others ?? [])], state }
    void broadcast.publish(INBOX_TYPED, JSON.stringify(typed))
  })
  broadcast.subscribe(INBOX_TYPED, (text) => void feed.typed(JSON.parse(text) as TypedIn))
  const inboxCommands = createInbox({ ...stores, ...needs, inboxFeed: feed, clock })
  return { inboxCommands, inboxFeed: feed, peerTyping, endStreams: () => feed.stop() }
}
