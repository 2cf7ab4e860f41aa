/** English words of the list of calls; the other languages have the same keys. */
export const words = {
  heading: 'Calls',
  peer: 'With',
  status: 'Status',
  direction: 'Direction',
  began: 'Began',
  length: 'Length',
  all: 'All',
  none: 'No call yet. Call somebody from here, or by the API.',
  noneSo: 'No call is so.',
  showAll: 'Show all calls',
  seconds: (count: number) =>
    count < 60 ? `${count} s` : `${Math.floor(count / 60)} min ${String(count % 60).padStart(2, '0')} s`,
  directions: { INBOUND: 'Incoming', OUTBOUND: 'Outgoing' },
  statuses: {
    INITIATED: 'Calling',
    RINGING: 'Ringing',
    ACCEPTED: 'In a call',
    COMPLETED: 'Over',
    REJECTED: 'Declined',
    MISSED: 'Missed',
    FAILED: 'Failed',
  },
}
