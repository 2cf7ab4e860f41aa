/** English words of the ads; the other languages have the same keys. */
export const words = {
  heading: 'Ads',
  none: 'No ad or post began a conversation with this number in this time.',
  chart: 'Conversations of each ad; the list below has the same figures',
  truncated: 'There are more ads than are shown. Narrow the dates to see the others.',
  ad: 'Ad or post',
  conversations: 'Conversations',
  messages: 'Times it began one',
  last: 'Last',
  conversationCount: (count: number) => (count === 1 ? '1 conversation' : `${count} conversations`),
  timeCount: (count: number) => (count === 1 ? 'once' : `${count} times`),
}
