import { words as hooks } from '../hooks/en.ts'

/** English words of the list of webhooks; the other languages have the same keys. */
export const words = {
  hooks,
  heading: 'Webhooks',
  add: 'New webhook',
  create: 'Create webhook',
  none: 'No webhook yet. A webhook sends what happens on a number to an address of yours.',
  noNumber: 'A webhook belongs to a number. Add a number first.',
  numbers: 'Numbers',
  created: (name: string) => `${name} is created.`,
  secret: 'Signing secret',
  secretText: 'Every delivery is signed with it, so that you can tell it from a forgery.',
  open: 'Open the webhook',
  columns: { webhook: 'Webhook', number: 'Number', events: 'Events', last: 'Last delivery', state: 'State' },
  failed: (count: number) => (count === 1 ? '1 failed in 24 h' : `${count} failed in 24 h`),
  eventCount: (count: number) => (count === 0 ? 'none' : count === 1 ? '1 event' : `${count} events`),
  all: 'all (*)',
}
