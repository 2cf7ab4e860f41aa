import { createInbox, type InboxCommands } from '../commands/inbox/inbox.ts'
import type { InboxPorts } from '../commands/inbox/ports.ts'
import { RowInboxFeed } from '../inbox/feed.ts'
import type { Broadcast } from '../ports/broadcast.ts'
import type { ChangedRows, InboxFeed } from '../ports/inbox-feed.ts'
import type { Core } from './core.ts'
import type { Storage } from './open-storage.ts'

/** Broadcast topic; the text is ChangedRows as JSON. */
const INBOX_CHANGED = 'inbox.changed'

interface InboxNeeds
  extends
    Pick<Storage, 'stores' | 'onEvents' | 'onChanged'>,
    Pick<InboxPorts, 'messageCommands' | 'files' | 'mediaKnown' | 'officialOf' | 'marksStored'> {
  readonly broadcast: Broadcast
}

export interface OpenInbox {
  /** This and the feed go to the REST layer. */
  readonly inboxCommands: InboxCommands
  readonly inboxFeed: InboxFeed
  /** Ends open streams. The shutdown calls it before it waits for running requests. */
  readonly endStreams: () => void
}

/** Opens the commands of inboxes and their feed. Readers of an inbox are told of changes on this node and on others. */
export function openInbox({ clock, log }: Core, needs: InboxNeeds): OpenInbox {
  const { stores, onEvents, onChanged, broadcast } = needs
  const feed = new RowInboxFeed({ reads: stores.inboxReads, changes: stores.inboxChanges, clock, log })
  onEvents(() => feed.wake())
  onChanged((rows) => void broadcast.publish(INBOX_CHANGED, JSON.stringify(rows)))
  broadcast.subscribe(INBOX_CHANGED, (text) => feed.changed(JSON.parse(text) as ChangedRows))
  const inboxCommands = createInbox({ ...stores, ...needs, inboxFeed: feed, clock })
  return { inboxCommands, inboxFeed: feed, endStreams: () => feed.stop() }
}
