import { words as hooks } from '../hooks/en.ts'

/** English words of the page of events; the other languages have the same keys. */
export const words = {
  hooks,
  heading: 'Events',
  event: 'Event',
  anyEvent: 'All events',
  number: 'Number',
  anyNumber: 'All numbers',
  live: {
    heading: 'Live',
    none: 'Nothing has happened since you opened this page. Events show here as they happen.',
    noneSuch: 'Nothing like this has happened since you opened this page.',
    off: 'Live events are not available now. The stored ones below are.',
    pause: 'Pause',
    go: 'Go on',
    held: (count: number) => (count === 1 ? '1 new event waits.' : `${count} new events wait.`),
    paused: 'Paused: new events wait until you go on.',
    most: (count: number) => `Only the newest ${count} are kept here.`,
  },
  stored: {
    heading: 'Stored events',
    text: 'Events of the last 30 days, oldest first.',
    read: 'Read the stored events',
    none: 'No event is stored.',
  },
  columns: { event: 'Event', number: 'Number', at: 'Time' },
  show: (event: string) => `Show ${event}`,
  eventId: 'Event id',
}
