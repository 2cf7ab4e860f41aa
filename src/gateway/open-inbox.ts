import { RowInboxFeed } from '../inbox/feed.ts'
import type { Broadcast } from '../ports/broadcast.ts'
import type { ChangedRows, InboxFeed } from '../ports/inbox-feed.ts'
import type { Core } from './core.ts'
import type { Storage } from './open-storage.ts'

/** Broadcast topic; the text is ChangedRows as JSON. */
const INBOX_CHANGED = 'inbox.changed'

export interface OpenInbox {
  readonly inboxFeed: InboxFeed
  /** Ends what is streamed; for the shutdown, before running requests are waited for. */
  readonly endStreams: () => void
}

/** Has who looks at an inbox told of what changes, here and on other nodes. */
export function openInbox(
  { clock, log }: Core,
  {
    stores,
    onEvents,
    onChanged,
    broadcast,
  }: Pick<Storage, 'stores' | 'onEvents' | 'onChanged'> & { readonly broadcast: Broadcast },
): OpenInbox {
  const feed = new RowInboxFeed({ reads: stores.inboxReads, changes: stores.inboxChanges, clock, log })
  onEvents(() => feed.wake())
  onChanged((rows) => void broadcast.publish(INBOX_CHANGED, JSON.stringify(rows)).catch(() => {}))
  broadcast.subscribe(INBOX_CHANGED, (text) => feed.changed(JSON.parse(text) as ChangedRows))
  return { inboxFeed: feed, endStreams: () => feed.stop() }
}
