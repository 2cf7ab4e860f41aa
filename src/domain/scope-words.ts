import type { Permission } from './permissions.ts'

/** What each permission lets a client do, in words for the person who decides; the page has them in its languages. */
export const SCOPE_WORDS: Readonly<Record<Permission, string>> = {
  'numbers:read': 'See your numbers and whether they are connected',
  'numbers:manage': 'Connect, change and remove your numbers, and change how your pages look',
  'chat:read': 'Read messages, conversations, groups, leads and where people came from',
  'chat:send': 'Send messages to anybody and change groups, in your name',
  'calls:read': 'See calls',
  'calls:manage': 'Place, answer and end calls, in your name',
  'templates:read': 'Read message templates',
  'templates:manage': 'Create, change and delete message templates',
  'flows:read': 'Read Flows and what people answered in them',
  'flows:manage': 'Create, change, publish and delete Flows',
  'leads:manage': 'Link Pages, import and erase leads',
  'ads:read': 'See which ads conversations began with, and shared ad accounts',
  'webhooks:read': 'See webhooks, their logs and stored events',
  'webhooks:manage': 'Create, change and delete webhooks, which are sent what happens',
  'account:manage': 'Manage people, keys and the plan',
}
