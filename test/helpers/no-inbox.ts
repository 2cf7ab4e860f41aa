import type { InboxPorts } from '../../src/commands/inbox/ports.ts'
import type { RestDeps } from '../../src/http/server.ts'

/** The inbox of a world without conversations, in which nothing changes. */
export const NO_INBOX: Pick<RestDeps, 'inboxFeed'>
  & Pick<InboxPorts, 'inboxReads' | 'conversationMarks' | 'mediaFacts'> = {
  inboxReads: {
    conversations: async () => ({ items: [], next: null }),
    conversationsOf: async () => [],
    conversationWith: async () => ({ id: 'conv_none' as const, conversation: null }),
    messages: async () => null,
    messagesOf: async () => [],
    search: async () => [],
    unread: async () => new Map(),
  },
  conversationMarks: { mark: async () => false },
  mediaFacts: { learnMedia: async () => {} },
  inboxFeed: {
    run: '000000',
    join: async () => ({ order: 0, missed: null, unread: new Map(), leave: () => {} }),
    wake: () => {},
  },
}
