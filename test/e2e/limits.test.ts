import test from 'ava'
import { newPeer, reachablePeer, send, sendRequests, sendText, untilStatus, write } from '../helpers/message-service.ts'
import { connectOfficial, type OfficialNumber } from '../helpers/official-service.ts'
import type { Service } from '../helpers/service.ts'
import { joinService } from '../helpers/shared-service.ts'
import { until } from '../helpers/until.ts'

let service: Service

test.before(async () => {
  service = await joinService()
})

/** A number whose account may reach three people a day, which upstream enforces, with an approved template. */
async function limitedNumber(seed: object = {}): Promise<OfficialNumber> {
  const number = await connectOfficial(service, { messagingLimitTier: 'TIER_3', isTierEnforced: true, ...seed })
  const made = await service.api('POST', '/v1/templates', number.key, {
    name: 'daily_news',
    category: 'UTILITY',
    language: 'en_US',
    body: { body: 'There is news.' },
  })
  if (made.status !== 201) return number
  await service.control('POST', `/official/templates/${made.body.externalId}`, { event: 'APPROVED' })
  await until('the template can be sent', async () => {
    const { body } = await service.api('GET', `/v1/templates/${made.body.id}`, number.key)
    return body.sendable
  })
  return number
}

const news = (number: OfficialNumber, destinationNumber: string) =>
  send(service, number, { destinationNumber, templateId: 'daily_news' })

async function limitsOf({ id }: OfficialNumber): Promise<any> {
  const { status, body } = await service.api('GET', `/v1/numbers/${id}/limits`, service.tenantKey)
  if (status !== 200) throw new Error(`no limits: ${status}`)
  return body
}

async function statusOf(number: OfficialNumber, id: string): Promise<string> {
  return (await service.api('GET', `/v1/messages/${id}`, number.key)).body.status
}

// [message-verbs.pace.1] [message-verbs.pace.2] [message-verbs.pace.8]
test('a number reaches as many people a day as upstream lets it, holds the next one, and goes on once the tier is raised', async (t) => {
  const number = await limitedNumber()
  t.deepEqual(await limitsOf(number), { perSecond: 80, perDay: 3, used: 0, resetsAt: null, source: 'upstream' })
  const began = Date.now()
  const sent = []
  for (const peer of [newPeer(), newPeer(), newPeer()]) sent.push(await news(number, peer))
  for (const { id } of sent) await untilStatus(service, number, id, ['READ'])
  const fourth = newPeer()
  const held = await news(number, fourth)
  const open = await reachablePeer(service, number)
  await until('the gateway knows who wrote', async () => {
    const { body } = await service.api('GET', '/v1/messages/history', number.key)
    return body.messages.some(({ from }: { readonly from: string }) => from === open)
  })
  const others = [await news(number, open), await sendText(service, number, open, 'and a text')]
  for (const { id } of others) await untilStatus(service, number, id, ['READ'])
  t.is(await statusOf(number, held.id), 'QUEUED')
  t.is((await sendRequests(service, number)).length, 5, 'upstream was asked for no more, and refused none')
  const limits = await limitsOf(number)
  t.like(limits, { perDay: 3, used: 3 })
  const resetsMs = Date.parse(limits.resetsAt)
  t.true(resetsMs >= began + 86_400_000 && resetsMs <= Date.now() + 86_460_000)

  await service.control('PATCH', `/official/numbers/${number.phoneId}`, { messagingLimitTier: 'TIER_50' })
  await untilStatus(service, number, held.id, ['READ'])
  t.like(await limitsOf(number), { perDay: 50, used: 4, resetsAt: limits.resetsAt })
})

// [message-verbs.pace.1]
test('numbers of one account share its limit, and who writes to a held one is answered at once', async (t) => {
  const one = await limitedNumber()
  const other = await limitedNumber({ accountId: one.accountId, accessToken: one.accessToken })
  const peers = Array.from({ length: 8 }, () => newPeer())
  const messages = await Promise.all(
    peers.map(async (peer, index) => {
      const number = index % 2 === 0 ? one : other
      return { number, peer, id: (await news(number, peer)).id as string }
    }),
  )
  const statuses = () => Promise.all(messages.map(({ number, id }) => statusOf(number, id)))
  await until('three went', async () => (await statuses()).filter((status) => status === 'READ').length === 3)
  t.is((await limitsOf(one)).used, 3)
  t.deepEqual(await limitsOf(one), await limitsOf(other))
  const held = await until('the others are held', async () => {
    const now = await statuses()
    return messages.find((_, index) => now[index] === 'QUEUED') ?? null
  })
  await write(service, held.peer, held.number)
  const { id } = await sendText(service, held.number, held.peer, 'an answer')
  await untilStatus(service, held.number, id, ['READ'])
  const requests = await Promise.all([one, other].map((number) => sendRequests(service, number)))
  t.is(requests.flat().length, 4)
  t.is((await statuses()).filter((status) => status === 'QUEUED').length, 5)
})
