import { eventually } from './eventually.ts'
import type { Receiver } from './receiver.ts'
import type { Report } from './report.ts'
import type { Rest } from './rest.ts'

/** Creates a webhook for all events of the key's number, and for the named events. */
export async function subscribe(
  report: Report,
  number: Rest,
  receiver: Receiver,
  events: readonly string[] = ['*'],
): Promise<void> {
  await report.step('subscribe a webhook to its events', async () => {
    const webhook = await number.post<{ id: string; secret: string }>('/v1/webhooks', {
      name: 'Demo',
      url: receiver.url,
      events,
    })
    receiver.useSecret(webhook.secret)
    return [undefined, webhook.id] as const
  })
}

/** Deliveries come in any order (docs/webhooks.md), so it waits for all of `wanted` rather than for the last. */
export async function showEvents(report: Report, receiver: Receiver, wanted: readonly string[]): Promise<void> {
  await report.step('events delivered to the webhook, signatures verified', async () => {
    const names = await eventually(`${wanted.join(', ')} at the webhook`, () => {
      if (receiver.received.some(({ isVerified }) => !isVerified))
        throw new Error('a delivery came with a wrong signature')
      const seen = receiver.received.map(({ event }) => event)
      return wanted.every((name) => seen.includes(name)) ? seen : null
    })
    return [undefined, `${names.length} verified: ${[...new Set(names)].join(', ')}`] as const
  })
}
