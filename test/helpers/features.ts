import type { Features } from '../../web/protocol/messages.ts'

/** The parts of an inbox whose host turned none off. */
export const ALL_ON: Features = {
  archive: true,
  markUnread: true,
  messageMenu: true,
  personPanel: true,
  search: true,
  startConversation: true,
  notifications: true,
  cannedReplies: true,
  assign: true,
  notes: true,
}
