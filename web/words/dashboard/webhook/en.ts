import { words as hooks } from '../hooks/en.ts'

/** English words of the page of a webhook; the other languages have the same keys. */
export const words = {
  hooks,
  webhooks: 'Webhooks',
  loading: 'Webhook',
  facts: { url: 'Address', number: 'Number', events: 'Events', last: 'Last delivery', created: 'Created', id: 'Id' },
  noEvents: 'None: nothing is delivered. Choose events below.',
  pause: 'Pause',
  resume: 'Resume',
  enable: 'Switch on again',
  paused: 'The webhook is paused: nothing is delivered, and what happens meanwhile is not sent later.',
  resumed: 'The webhook is active.',
  disabled: {
    heading: 'The service switched this webhook off',
    GONE: 'The receiver answered 410: what it listened with is gone.',
    FAILING: 'For 5 days nothing but failures came back.',
    since: 'Switched off',
    text: 'What happened since was not delivered. Mend the receiver, and switch the webhook on again.',
  },
  pausedCard: {
    heading: 'This webhook is paused',
    text: 'Nothing is delivered. What happens meanwhile is not sent later.',
  },
  failing: (count: number) =>
    count === 1 ? '1 delivery failed in the last 24 hours.' : `${count} deliveries failed in the last 24 hours.`,
  failingText: 'The last delivery failed. The log below shows what the receiver answered.',
  test: 'Send a test event',
  testing: 'Sending',
  testPassed: (code: number, ms: number) => `The receiver took the test event: ${code}, in ${ms} ms.`,
  testRefused: (code: number, ms: number) => `The receiver answered the test event with ${code}, in ${ms} ms.`,
  testLost: (ms: number) => `No answer to the test event came, after ${ms} ms.`,
  answer: 'Answer',
  noAnswer: 'The answer was empty.',
  secret: {
    heading: 'Signing secret',
    text: 'A new secret signs at once. The old one signs beside it for 24 hours, so that no delivery is refused meanwhile.',
    rotate: 'Rotate the secret',
    lost: 'The secret before the present one stops at once, if it still signs.',
    shown: 'New signing secret',
    until: 'The old secret signs too until',
  },
  remove: {
    heading: 'Delete',
    action: 'Delete the webhook',
    text: 'Nothing more is delivered, queued tries included. The log goes too.',
    done: 'The webhook is deleted.',
  },
  settings: 'Settings',
  saved: 'The webhook is saved.',
  log: {
    heading: 'Deliveries',
    text: 'Each attempt of the last 30 days, newest first.',
    none: 'No attempt yet. Send a test event to see one.',
    noneSuch: 'No attempt like this.',
    again: 'Read again',
    status: 'Status',
    any: 'All',
    statuses: { SUCCESS: 'succeeded', FAILED: 'failed' },
    columns: {
      event: 'Event',
      status: 'Status',
      code: 'Code',
      duration: 'Duration',
      attempt: 'Attempt',
      at: 'Time',
      act: 'Actions',
    },
    noCode: 'no answer',
    redeliver: 'Redeliver',
    redeliverOf: (event: string) => `Redeliver ${event}`,
    queued: 'The event is queued: it is delivered again now.',
    show: (event: string) => `Show ${event}`,
  },
  failed: {
    heading: 'Redeliver what failed',
    text: 'Each event is sent once whose last attempt in the range failed, at most 1,000 at a time.',
    range: 'Range',
    ranges: { hour: 'last hour', day: 'last 24 hours', week: 'last 7 days', month: 'last 30 days', own: 'from, until' },
    since: 'From',
    until: 'Until',
    untilHint: 'Empty means now.',
    action: 'Redeliver all that failed',
    queued: (count: number) =>
      count === 0
        ? 'Nothing in this range waits: no event failed last.'
        : count === 1
          ? '1 event is queued.'
          : `${count} events are queued.`,
  },
  detail: {
    eventId: 'Event id',
    response: 'Answer of the receiver',
    curl: 'Copy as curl',
    curlHint: 'Without the signature: the secret is not known here.',
  },
}
