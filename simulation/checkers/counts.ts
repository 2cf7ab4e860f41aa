import type { Checker } from './checker.ts'

/** What numbers used, as it was counted, is what their rows say. */
export const countsEqualRows: Checker = ({ cluster: { database }, numbers }) => {
  const { messages, webhooks, rows } = database
  return numbers.flatMap((numberId) => {
    const ofNumber = (webhookId: string) =>
      [...rows.webhooks.values()].some((one) => one.id === webhookId && one.numberId === numberId)
    const stored = {
      'messages.outbound.text': [...messages.queued.values()].filter((row) => row.numberId === numberId).length,
      'messages.inbound.text': messages.received.filter(({ events }) =>
        events.some(({ data }) => data['channelNumberId'] === numberId),
      ).length,
      'deliveries.attempts': webhooks.log.filter(({ webhookId }) => ofNumber(webhookId)).length,
    }
    return Object.entries(stored).flatMap(([metric, count]) => {
      const counted = rows.used.get(`${numberId} ${metric}`) ?? 0
      return counted === count ? [] : [`${numberId} has ${count} ${metric}, counted are ${counted}`]
    })
  })
}
