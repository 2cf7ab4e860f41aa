import test from 'ava'
import { png } from '../files/make-media.ts'
import { startFileHost } from '../helpers/file-host.ts'
import { freePort } from '../helpers/free-port.ts'
import {
  failSends,
  FAST,
  inboxOf,
  KINDS,
  mediaBytes,
  newPeer,
  reachablePeer,
  send,
  sendRequests,
  sendText,
  untilEvents,
  untilInHistory,
  untilInbox,
  untilStatus,
  untilTold,
  write,
  type Kind,
} from '../helpers/message-service.ts'
import { storedEvents } from '../helpers/receiver-ledger.ts'
import { connectOfficial } from '../helpers/official-service.ts'
import { Service, type PairedNumber } from '../helpers/service.ts'
import { sideBySide } from '../helpers/side-by-side.ts'
import { until } from '../helpers/until.ts'

/**
 * In seconds: longer than the gateway is away, and longer than the upstream waits to repeat a status that it could not
 * post.
 */
const PATIENT_SECONDS = '20'
let service: Service

test.before(async () => {
  service = await Service.start({
    isSplit: true,
    env: {
      ...FAST,
      EGRESS_ALLOW: '127.0.0.0/8',
      OFFICIAL_RECONCILE_SECONDS: PATIENT_SECONDS,
      PORT: String(await freePort()),
    },
  })
})

test.after.always(async () => {
  await service?.stop()
})

/** How many send requests with this text the upstream received. */
async function asksFor(number: PairedNumber, text: string): Promise<number> {
  return (await sendRequests(service, number)).filter((request) => JSON.stringify(request).includes(text)).length
}

/**
 * All stories share one kill. Each prepares its number, continues while the gateway is away, and checks the number
 * after the restart.
 */
const story = sideBySide(test, {
  settled: async () => {},
  killed: () => service.gateway.kill('SIGKILL'),
  back: () => service.startGateway(),
})

/** A number that only one story uses. */
async function numberOf(kind: Kind): Promise<PairedNumber> {
  return kind === 'OFFICIAL' ? await connectOfficial(service) : await service.pairNumber()
}

for (const kind of KINDS) {
  story(
    `${kind}: messages accepted just before kill -9 are delivered after the restart, in order and once`,
    async (t, reach) => {
      const number = await numberOf(kind)
      const peers = await Promise.all(Array.from({ length: 3 }, () => reachablePeer(service, number)))
      const texts = ['one', 'two', 'three', 'four']
      const ids: string[] = []
      await reach('settled')
      for (const text of texts)
        ids.push(...(await Promise.all(peers.map((peer) => sendText(service, number, peer, text)))).map(({ id }) => id))
      await reach('killed')
      await reach('back')
      for (const id of ids) await untilStatus(service, number, id, ['READ'])
      for (const peer of peers)
        t.deepEqual(
          (await inboxOf(service, peer, number)).map(({ text }) => text),
          texts,
        )
      for (const id of ids)
        t.deepEqual(
          (await untilEvents(service, number, id, 'message.read'))
            .map(({ event }) => event)
            .filter((event) => event === 'message.read'),
          ['message.read'],
        )
    },
  )

  story(`${kind}: kill -9 while its media is fetched: it is fetched again and arrives once`, async (t, reach) => {
    const number = await numberOf(kind)
    const peer = await reachablePeer(service, number)
    const picture = await png()
    let isReady = false
    const host = await startFileHost(t, (_, response) => {
      if (isReady) response.end(picture)
    })
    const { id } = await send(service, number, {
      destinationNumber: peer,
      media: `${host.origin}/a.png`,
      mediaType: 'image',
      caption: 'at last',
    })
    const behind = await sendText(service, number, peer, 'behind')
    await until('it is being fetched', () => host.requests.length > 0)
    await reach('settled')
    await reach('killed')
    isReady = true
    await reach('back')
    for (const each of [id, behind.id]) await untilStatus(service, number, each, ['READ'])
    const items = await inboxOf(service, peer, number)
    t.deepEqual(
      items.map(({ text }) => text),
      ['at last', 'behind'],
    )
    t.deepEqual(await mediaBytes(service, items[0].externalMessageId), picture)
  })

  story(`${kind}: bytes that came with the request survive kill -9`, async (t, reach) => {
    const number = await numberOf(kind)
    const peer = await reachablePeer(service, number)
    const picture = await png(33, 44)
    const { id } = await send(service, number, {
      destinationNumber: peer,
      mediaType: 'image',
      media: `data:image/png;base64,${picture.toString('base64')}`,
      deliverAt: new Date(Date.now() + 8_000).toISOString(),
    })
    await reach('settled')
    await reach('killed')
    await reach('back')
    await untilStatus(service, number, id, ['READ'])
    const [item] = await untilInbox(service, peer, number, 1)
    t.deepEqual(await mediaBytes(service, item.externalMessageId), picture)
  })

  story(
    `${kind}: kill -9 right after upstream took a message whose answer was lost: it arrives once`,
    async (t, reach) => {
      const number = await numberOf(kind)
      const peer = await reachablePeer(service, number)
      await failSends(service, number, { drop: 'after' })
      const text = `in doubt to ${peer}`
      const { id } = await sendText(service, number, peer, text)
      await until('upstream has it', async () => (await asksFor(number, text)) > 0)
      await reach('settled')
      await reach('killed')
      await reach('back')
      await untilStatus(service, number, id, ['READ'])
      t.deepEqual(
        (await inboxOf(service, peer, number)).map(({ text: arrived }) => arrived),
        [text],
      )
      if (kind === 'OFFICIAL') t.is(await asksFor(number, text), 1, 'a status named it')
    },
  )

  story(
    `${kind}: when kill -9 loses the answer to a send, repeating it under its key gives the same message`,
    async (t, reach) => {
      const number = await numberOf(kind)
      const peer = await reachablePeer(service, number)
      const message = { destinationNumber: peer, text: 'under a key' }
      const headers = { 'idempotency-key': `crash ${peer}` }
      await reach('settled')
      const asked = Promise.allSettled(
        Array.from({ length: 5 }, () => service.api('POST', '/v1/messages/send', number.key, message, headers)),
      )
      await reach('killed')
      await reach('back')
      const early = (await asked).flatMap((each) =>
        each.status === 'fulfilled' && each.value.status === 202 ? [each.value.body.id] : [],
      )
      const { id } = await send(service, number, message, headers)
      t.true(early.every((each) => each === id))
      await untilStatus(service, number, id, ['READ'])
      t.deepEqual(
        (await inboxOf(service, peer, number)).map(({ text }) => text),
        ['under a key'],
      )
    },
  )

  // [message-verbs.batch.1]
  story(
    `${kind}: batches around kill -9 are stored whole or not at all, and each message arrives once, in order`,
    async (t, reach) => {
      const number = await numberOf(kind)
      const peers = await Promise.all(Array.from({ length: 4 }, () => reachablePeer(service, number)))
      const textsOf = (batch: number, peer: number) => Array.from({ length: 5 }, (_, at) => `${batch}/${peer}/${at}`)
      const post = async (batch: number) => {
        const messages = peers.flatMap((destinationNumber, peer) =>
          textsOf(batch, peer).map((text) => ({ destinationNumber, text })),
        )
        const headers = { 'idempotency-key': `batch ${batch} ${number.digits}` }
        return (await service.api('POST', '/v1/messages/batch', number.key, { messages }, headers)).body
      }
      await reach('settled')
      const early = await post(0)
      const flying = Promise.allSettled([1, 2, 3].map(post))
      await reach('killed')
      await reach('back')
      const answered = (await flying).map((each) => (each.status === 'fulfilled' ? each.value : null))
      const batches = [early, ...(await Promise.all([1, 2, 3].map(post)))]
      for (const [at, first] of [early, ...answered].entries())
        if (first?.batchId) t.deepEqual(batches[at], first, 'the first answer is repeated')
      for (const { batchId, accepted } of batches) {
        t.is(accepted, 20)
        await until(`all of ${batchId} are read`, async () => {
          const { body } = await service.api('GET', `/v1/messages/batch/${batchId}`, number.key)
          return body.counts.READ === 20
        })
      }
      for (const [place, peer] of peers.entries()) {
        const texts = (await inboxOf(service, peer, number)).map(({ text }) => text as string)
        t.is(texts.length, 20)
        for (const batch of [0, 1, 2, 3])
          t.deepEqual(
            texts.filter((text) => text.startsWith(`${batch}/`)),
            textsOf(batch, place),
          )
      }
    },
  )

  story(
    `${kind}: messages that peers write while the gateway is away are stored and told once when it is back`,
    async (t, reach) => {
      const number = await numberOf(kind)
      const peer = newPeer()
      await untilInHistory(service, number, await write(service, peer, number, { text: 'before' }))
      await reach('settled')
      await reach('killed')
      const missed: string[] = []
      for (const text of ['one', 'two', 'three']) missed.push(await write(service, peer, number, { text }))
      await reach('back')
      for (const id of missed) await untilInHistory(service, number, id, `&peer=${peer}`)
      if (kind === 'UNOFFICIAL') for (const id of missed) await untilTold(service, number, 'message.received', id)
      const events = await storedEvents(service, number.key)
      for (const id of missed) t.is(events.filter(({ data }) => JSON.stringify(data).includes(id)).length, 1)
      const { body } = await service.api('GET', `/v1/messages/history?peer=${peer}`, number.key)
      t.deepEqual(
        [
          body.total,
          (await service.api('GET', '/v1/conversations', number.key)).body.conversations.find(
            ({ from }: any) => from === peer,
          ).unreadCount,
        ],
        [4, 4],
      )
    },
  )
}
