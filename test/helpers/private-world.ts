import { answerFlow, flowOf } from './flow-service.ts'
import {
  KINDS,
  numbersOfBothKinds,
  reachablePeer,
  send,
  untilInbox,
  untilInHistory,
  untilStatus,
  write,
  type BothNumbers,
  type Kind,
} from './message-service.ts'
import type { OfficialNumber } from './official-service.ts'
import type { Receiver } from './receiver.ts'
import type { PairedNumber, Service } from './service.ts'

import { until } from './until.ts'

let sends = 0

/** The numbers of a story about privacy. */
export interface World {
  /** A word that is unique to the story, in the paths of its webhooks. */
  readonly name: string
  readonly numbers: BothNumbers
}

/** Creates a number of each kind with one privacy mode, and a webhook of each for all events. */
export async function openWorld(service: Service, receiver: Receiver, name: string, mode: object): Promise<World> {
  const numbers = await numbersOfBothKinds(service)
  for (const kind of KINDS) {
    await setMode(service, numbers[kind], mode)
    await service.api('POST', '/v1/webhooks', numbers[kind].key, {
      url: receiver.endpoint(`/${name}/${kind}`),
      events: ['*'],
    })
  }
  return { name, numbers }
}

/** Sets the privacy mode of a number. */
export async function setMode(service: Service, number: PairedNumber, mode: object): Promise<void> {
  const { status, text } = await service.api('PATCH', `/v1/numbers/${number.id}`, service.tenantKey, mode)
  if (status !== 200) throw new Error(text)
}

/**
 * Sends and receives everything that a conversation can hold, with a word in each text. Resolves to the ids of the sent
 * messages.
 */
export async function converse(
  service: Service,
  { numbers }: World,
  kind: Kind,
  peer: string,
  word: string,
  picture: Buffer,
): Promise<string[]> {
  const number = numbers[kind]
  const base64 = picture.toString('base64')
  await untilInHistory(
    service,
    number,
    await write(service, peer, number, { text: `in ${word}`, fromName: `Ana ${word}` }),
  )
  await untilInHistory(
    service,
    number,
    await write(service, peer, number, {
      type: 'image',
      text: `caption ${word}`,
      media: { base64, mimeType: 'image/jpeg', fileName: `${word}.jpg` },
    }),
  )
  await untilInHistory(
    service,
    number,
    await write(service, peer, number, { type: 'location', location: { latitude: 1, longitude: 2, name: word } }),
  )
  const sent = [
    await send(
      service,
      number,
      { destinationNumber: peer, text: `out ${word}` },
      { 'idempotency-key': `privacy ${++sends}` },
    ),
    await send(service, number, {
      destinationNumber: peer,
      mediaType: 'image',
      media: `data:image/jpeg;base64,${base64}`,
      caption: `sent ${word}`,
    }),
  ]
  for (const { id } of sent) await untilStatus(service, number, id, ['READ'])
  return sent.map(({ id }) => id)
}

/**
 * Each peer fills in a Flow that contains the word everywhere: fields, unreadable ones, token, message text. Resolves
 * to the Flow.
 */
export async function answerFlows(
  service: Service,
  number: OfficialNumber,
  word: string,
  times: readonly number[],
): Promise<any> {
  const flow = await flowOf(service, number, `Flow of ${number.id}`)
  const peer = await reachablePeer(service, number)
  const { id } = await send(service, number, {
    destinationNumber: peer,
    flow: { flowId: flow.id, text: `text ${word}`, cta: 'Tell us', token: `token ${word}`, data: { word } },
  })
  await untilStatus(service, number, id, ['READ'])
  const [{ externalMessageId: quoted }] = await untilInbox(service, peer, number, 1)
  for (const timestamp of times) {
    await answerFlow(
      service,
      peer,
      number,
      { flow_token: `token ${word}`, name: `field ${word}`, photos: [{ id: '1', file_name: `${word}.jpg` }] },
      { quoted, timestamp, fromName: `Ana ${word}` },
    )
    const last = await answerFlow(service, peer, number, `{"broken ${word}": `, { quoted, timestamp })
    await until('it came in', async () => (await service.api('GET', `/v1/messages/${last}`, number.key)).status === 200)
  }
  return flow
}
