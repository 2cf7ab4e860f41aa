/** English words of the inbox's page; the other languages have the same keys. */
export const words = {
  heading: 'Inbox',
  replies: 'Canned replies',
  number: 'Number',
  all: 'All numbers',
  first: (count: number) => `The first ${count} numbers`,
  firstHint: (count: number) => `The inbox shows ${count} numbers together. Choose one to see another.`,
  unread: (count: number) => (count === 1 ? '1 unread message' : `${count} unread messages`),
  added: 'A number was added.',
  addedShow: 'Show it too',
  none: 'The conversations of your numbers stand here, once there is a number.',
  toNumbers: 'Go to the numbers',
  shown: {
    failed: 'The inbox could not be shown.',
    address: 'Embeds cannot be shown at this address. Open the dashboard by https, or at localhost.',
    gone: 'There is no such number. Choose another one.',
  },
}
