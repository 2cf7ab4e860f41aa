import { ADDRESSES_ONLY, EACH_BY_ADDRESS } from './narrowings.ts'
import type { ToolFacts } from './tool.ts'

/** Tools for messages, conversations, groups and look-ups of numbers, in the order listed. */
export const MESSAGE_TOOLS: readonly ToolFacts[] = [
  {
    name: 'messages_history',
    route: 'listMessages',
    title: 'List messages',
    holdsTexts: true,
    description:
      'Lists direct and group messages of a number, newest first: INBOUND ones unless direction says otherwise. Marks nothing as read.',
  },
  {
    name: 'messages_unread',
    route: 'listUnreadMessages',
    title: 'List unread messages',
    holdsTexts: true,
    description: 'Lists unread messages of a number, newest first. Marks nothing as read: messages_read does.',
  },
  {
    name: 'messages_group',
    route: 'listGroupMessages',
    title: 'List messages of groups',
    holdsTexts: true,
    description: 'Lists messages of groups, of one or of all, newest first. Marks nothing as read.',
  },
  {
    name: 'message_get',
    route: 'getMessage',
    title: 'Read what became of a message',
    description: 'Reads the status of one message and, where it failed, why.',
  },
  {
    name: 'messages_send',
    route: 'sendMessage',
    title: 'Send a message',
    reachesOut: true,
    narrowed: ADDRESSES_ONLY,
    description:
      "Sends one message to a person, a group or a channel: text, buttons, media, carousel, template, Flow, location, contacts, list, reaction to a message, request for a hidden number, or poll. It cannot be taken back, unless deliverAt is ahead or message_revoke reaches it. OFFICIAL numbers are billed by upstream, and outside of 24 hours after the person's last message take templates alone. The answer says that it is queued: message_get tells what became of it. Use idempotencyKey so that trying again sends nothing twice.",
  },
  {
    name: 'messages_batch',
    route: 'sendBatch',
    title: 'Send many messages',
    reachesOut: true,
    narrowed: EACH_BY_ADDRESS,
    description:
      'Sends up to 1,000 messages, each as messages_send takes it, with files by address. OFFICIAL numbers are billed by upstream. `refused` names those that are not sent, and why. pace.perMinute keeps them slow; messages_batch_count counts what became of them, messages_batch_cancel stops the rest. Use idempotencyKey so that trying again sends nothing twice.',
  },
  {
    name: 'messages_batch_count',
    route: 'getBatch',
    title: 'Count the messages of a batch',
    description: 'Counts the messages of a batch by status.',
  },
  {
    name: 'messages_batch_cancel',
    route: 'cancelBatch',
    title: 'Cancel a batch',
    isDestructive: true,
    description: 'Cancels every message of a batch that is not sent. What was sent stays sent.',
  },
  {
    name: 'messages_cancel',
    route: 'cancelMessages',
    title: 'Cancel waiting messages',
    isDestructive: true,
    description:
      'Cancels messages that wait for their deliverAt. What was sent stays sent; `failed` says which ones were too late.',
  },
  {
    name: 'message_edit',
    route: 'editMessage',
    title: 'Edit a sent message',
    reachesOut: true,
    description:
      'Replaces the text of a message that an UNOFFICIAL number sent, until 15 minutes after it was sent. Everybody who has it sees the new text and that it was edited; the old text is gone.',
  },
  {
    name: 'message_revoke',
    route: 'revokeMessage',
    title: 'Take a message back',
    isDestructive: true,
    reachesOut: true,
    description:
      'Takes a message that an UNOFFICIAL number sent back from everybody, until 48 hours after it was sent. Its content is gone for good; people see that something was taken back.',
  },
  {
    name: 'messages_read',
    route: 'markMessagesRead',
    title: 'Mark messages as read',
    isRepeatable: true,
    reachesOut: true,
    description:
      'Marks a conversation, or single messages, as read. The person who wrote them may see it; it cannot be undone.',
  },
  {
    name: 'messages_typing',
    route: 'showTyping',
    title: 'Show that somebody is typing',
    isRepeatable: true,
    reachesOut: true,
    description:
      'Shows a contact that the number is typing or recording, for some seconds. On OFFICIAL numbers the last message of the contact is marked as read by it, which cannot be undone.',
  },
  {
    name: 'conversations_list',
    route: 'listConversations',
    title: 'List conversations',
    holdsTexts: true,
    description:
      'Lists the conversations of a number, last active first, with unread counts and until when free texts may be sent.',
  },
  {
    name: 'groups_list',
    route: 'listGroups',
    title: 'List groups',
    reachesOut: true,
    holdsTexts: true,
    description: 'Lists the groups an UNOFFICIAL number is in. Asks its phone, which has to be connected.',
  },
  {
    name: 'newsletters_list',
    route: 'listNewsletters',
    title: 'List channels',
    reachesOut: true,
    holdsTexts: true,
    description:
      'Lists the channels an UNOFFICIAL number follows or owns. Asks its phone, which has to be connected; the list of a number that nobody ever connected is empty.',
  },
  {
    name: 'numbers_check',
    route: 'checkNumbers',
    title: 'Look up phone numbers',
    listName: 'numbers',
    isRead: true,
    isRepeatable: true,
    reachesOut: true,
    description:
      'Looks up which phone numbers are registered on the chat app, from an UNOFFICIAL number. Nobody is told; many look-ups in a row may cost the number its standing upstream.',
  },
]
