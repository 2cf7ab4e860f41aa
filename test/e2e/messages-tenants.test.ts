import test from 'ava'
import { askToCreateTenant } from '../../src/gateway/admin-socket.ts'
import { jpeg } from '../files/make-media.ts'
import { historyOf, sendText, untilInHistory, untilStatus, write, type Kind } from '../helpers/message-service.ts'
import { connectBody, seedOfficial, type OfficialNumber } from '../helpers/official-service.ts'
import { storedEvents } from '../helpers/receiver-ledger.ts'
import { Receiver } from '../helpers/receiver.ts'
import type { PairedNumber, Service } from '../helpers/service.ts'
import { joinService } from '../helpers/shared-service.ts'

/** A number with its messages. All parties talk with the same peer about the same things and differ only in `word`. */
interface Party {
  readonly kind: Kind
  readonly word: string
  readonly tenantKey: string
  readonly number: PairedNumber
  /** The ids of the party's own rows, each of which names a row in a request. */
  readonly ids: Ids
}

interface Ids {
  readonly sent: string
  readonly sentUpstream: string
  readonly received: string
  readonly receivedUpstream: string
  readonly waiting: string
  readonly conversation: string
  readonly webhook: string
  readonly groupId: string | null
  readonly mediaId: string | null
}

const PEER = '5511987650001'
const CORRELATION = 'order-1'
let service: Service
let receiver: Receiver
let parties: Party[]

test.before(async () => {
  receiver = await Receiver.open()
  service = await joinService()
  const stranger = await askToCreateTenant(service.dataDir, 'Stranger')
  if (!stranger) throw new Error('no second tenant')
  parties = []
  // Two numbers of one kind share a tenant; another tenant has one of each kind.
  const seats: [kind: Kind, tenantKey: string, word: string][] = [
    ['UNOFFICIAL', service.tenantKey, 'amber'],
    ['UNOFFICIAL', service.tenantKey, 'birch'],
    ['UNOFFICIAL', stranger.key, 'cedar'],
    ['OFFICIAL', service.tenantKey, 'daisy'],
    ['OFFICIAL', stranger.key, 'ember'],
  ]
  for (const [kind, tenantKey, word] of seats) parties.push(await settle(kind, tenantKey, word))
})

test.after.always(async () => {
  await receiver?.close()
})

async function official(tenantKey: string): Promise<OfficialNumber> {
  const seeded = await seedOfficial(service)
  const { status, body, text } = await service.api('POST', '/v1/numbers/official', tenantKey, connectBody(seeded))
  if (status !== 201) throw new Error(text)
  return {
    ...seeded,
    id: body.id,
    digits: seeded.number,
    key: body.apiKey.key,
    webhookUrl: body.webhookUrl,
    verifyToken: body.verifyToken,
    created: body,
  }
}

/** Makes a number with one row of every kind. */
async function settle(kind: Kind, tenantKey: string, word: string): Promise<Party> {
  const number = kind === 'OFFICIAL' ? await official(tenantKey) : await service.pairNumber(undefined, tenantKey)
  const {
    body: { id: webhook },
  } = await service.api('POST', '/v1/webhooks', number.key, { url: receiver.endpoint(`/${word}`), events: ['*'] })
  const receivedUpstream = await write(service, PEER, number, {
    type: 'image',
    text: `in ${word}`,
    media: { base64: (await jpeg()).toString('base64'), mimeType: 'image/jpeg' },
  })
  const { id: received, conversationId: conversation, media } = await untilInHistory(service, number, receivedUpstream)
  const groupId = kind === 'OFFICIAL' ? null : `${word}@g.us`
  if (groupId)
    await untilInHistory(
      service,
      number,
      await write(service, PEER, number, { text: `group ${word}`, group: { id: groupId, name: word } }),
    )
  const { id: sent } = await sendText(service, number, PEER, `out ${word}`, { correlationId: CORRELATION })
  const { externalMessageId: sentUpstream } = await untilStatus(service, number, sent, ['READ'])
  const { id: waiting } = await sendText(service, number, PEER, `later ${word}`, {
    deliverAt: new Date(Date.now() + 3_600_000).toISOString(),
  })
  await receiver.until(`/${word}`, 1, ({ body }) => String(body).includes(sent))
  return {
    kind,
    word,
    tenantKey,
    number,
    ids: { sent, sentUpstream, received, receivedUpstream, waiting, conversation, webhook, groupId, mediaId: media.id },
  }
}

/** All ordered pairs of different parties. */
function pairs(): { mine: Party; theirs: Party }[] {
  return parties.flatMap((mine) => parties.filter((theirs) => theirs !== mine).map((theirs) => ({ mine, theirs })))
}

test('no list of a number shows anything of another one, though all talk with the same peer', async (t) => {
  const lists = [
    '/v1/messages/history?pageSize=100',
    '/v1/messages/history?pageSize=100&direction=OUTBOUND',
    `/v1/messages/history?peer=${PEER}`,
    '/v1/messages/unread',
    '/v1/messages/group',
    '/v1/conversations',
    '/v1/events?limit=1000',
    '/v1/webhooks',
  ]
  for (const { word, number, kind, ids } of parties) {
    const others = parties.filter((party) => party.number !== number)
    const paths = [
      ...lists,
      ...(kind === 'UNOFFICIAL' ? ['/v1/groups', '/v1/newsletters'] : []),
      `/v1/webhooks/${ids.webhook}/logs`,
    ]
    for (const path of paths) {
      const { status, text } = await service.api('GET', path, number.key)
      t.is(status, 200, path)
      for (const other of others) {
        for (const foreign of [other.word, other.number.id, other.number.digits, ...Object.values(other.ids)].filter(
          (one) => one !== null,
        ))
          t.false(text.includes(foreign), `${word}: ${path} shows ${foreign}`)
      }
    }
    const { messages } = await historyOf(service, number)
    t.true(
      messages.some(({ content }: any) => content === `in ${word}`),
      'its own is there',
    )
    for (const { body } of receiver.at(`/${word}`))
      t.false(
        others.some((other) => String(body).includes(other.word) || String(body).includes(other.number.id)),
        'nor does its webhook',
      )
  }
})

test("no id of another number opens a message: neither ours, nor upstream's, nor a correlation id", async (t) => {
  for (const { mine, theirs } of pairs()) {
    for (const id of [
      theirs.ids.sent,
      theirs.ids.sentUpstream,
      theirs.ids.received,
      theirs.ids.receivedUpstream,
      theirs.ids.waiting,
    ]) {
      t.is(
        (await service.api('GET', `/v1/messages/${encodeURIComponent(id)}`, mine.number.key)).status,
        404,
        `${mine.word} asks for ${id} of ${theirs.word}`,
      )
    }
    // All parties use the same correlation id, and each finds its own message.
    t.is((await service.api('GET', `/v1/messages/${CORRELATION}`, mine.number.key)).body.id, mine.ids.sent)
    const quoted = await service.api('POST', '/v1/messages/send', mine.number.key, {
      destinationNumber: PEER,
      text: 'quotes',
      quotedMessageId: theirs.ids.sent,
    })
    t.is(quoted.status, 404)
  }
})

test('messages that another number sent cannot be canceled, and those that it received cannot be marked read', async (t) => {
  const before = await Promise.all(
    parties.map(async ({ number }) => (await service.api('GET', '/v1/messages/unread', number.key)).body.total),
  )
  for (const { mine, theirs } of pairs()) {
    const canceled = await service.api('DELETE', '/v1/messages/cancel', mine.number.key, {
      messageIds: [theirs.ids.waiting, theirs.ids.sent],
    })
    t.is(canceled.status, 200)
    t.deepEqual(
      [canceled.body.cancelled, canceled.body.failed.map(({ id }: any) => id)],
      [[], [theirs.ids.waiting, theirs.ids.sent]],
    )
    const unknown = await service.api('DELETE', '/v1/messages/cancel', mine.number.key, {
      messageIds: ['msg_00000000000000000000000000'],
    })
    t.is(canceled.body.failed[0].reason, unknown.body.failed[0].reason, 'as if it did not exist')
    t.is(
      (await service.api('POST', '/v1/messages/read', mine.number.key, { conversationId: theirs.ids.conversation }))
        .status,
      404,
    )
    t.deepEqual(
      (
        await service.api('POST', '/v1/messages/read', mine.number.key, {
          messageIds: [theirs.ids.received, theirs.ids.receivedUpstream],
        })
      ).body,
      { read: 0 },
    )
  }
  const after = await Promise.all(
    parties.map(async ({ number }) => (await service.api('GET', '/v1/messages/unread', number.key)).body.total),
  )
  t.deepEqual(after, before)
  for (const { number, ids } of parties)
    t.is((await service.api('GET', `/v1/messages/${ids.waiting}`, number.key)).body.status, 'QUEUED')
  const {
    body: { messages },
  } = await service.control('GET', `/peers/${PEER}/outbox`)
  t.true(
    messages.every(({ isRead }: any) => !isRead),
    'the peer saw nothing read',
  )
})

test('groups and media of another number are not found', async (t) => {
  for (const { mine, theirs } of pairs()) {
    const { groupId, mediaId } = theirs.ids
    if (mine.kind === 'UNOFFICIAL' && groupId) {
      const asks: [method: string, path: string, body?: object][] = [
        ['GET', `/v1/groups/${groupId}`],
        ['POST', `/v1/groups/${groupId}/participants`, { participants: [PEER] }],
        ['DELETE', `/v1/groups/${groupId}/participants`, { participants: [PEER] }],
      ]
      for (const [method, path, body] of asks)
        t.is((await service.api(method, path, mine.number.key, body)).status, 404, `${mine.word}: ${method} ${path}`)
      t.is((await service.api('GET', `/v1/messages/group?groupId=${groupId}`, mine.number.key)).body.total, 0)
    }
    if (mine.kind === 'OFFICIAL' && mediaId) {
      for (const phoneId of parties
        .filter(({ kind }) => kind === 'OFFICIAL')
        .map(({ number }) => (number as OfficialNumber).phoneId)) {
        t.is((await service.api('GET', `/v1/media/${mediaId}?phoneNumberId=${phoneId}`, mine.number.key)).status, 404)
      }
    }
  }
})

test('webhooks and their logs are of one number, and a tenant sees the events of its own numbers alone', async (t) => {
  for (const { mine, theirs } of pairs()) {
    for (const path of ['', '/logs'])
      t.is((await service.api('GET', `/v1/webhooks/${theirs.ids.webhook}${path}`, mine.number.key)).status, 404)
    if (mine.tenantKey === theirs.tenantKey) continue
    t.is((await service.api('GET', `/v1/webhooks/${theirs.ids.webhook}/logs`, mine.tenantKey)).status, 404)
    const events = JSON.stringify(await storedEvents(service, mine.tenantKey))
    for (const foreign of [theirs.word, theirs.number.id, theirs.ids.sent]) t.false(events.includes(foreign))
    const named = await service.api('GET', '/v1/messages/history', mine.tenantKey, undefined, {
      'x-channel-number-id': theirs.number.id,
    })
    t.true([403, 404].includes(named.status))
  }
})

test('a key that names another number in a header stays with its own', async (t) => {
  for (const { mine, theirs } of pairs()) {
    const { status, text } = await service.api('GET', '/v1/messages/history', mine.number.key, undefined, {
      'x-channel-number-id': theirs.number.id,
    })
    t.true(status >= 400 || text.includes(`in ${mine.word}`), `${status}`)
    t.false(text.includes(theirs.word))
  }
})

test('an idempotency key belongs to the number that used it', async (t) => {
  const headers = { 'idempotency-key': 'the same for all' }
  const accepted = new Set<string>()
  for (const { number } of parties)
    accepted.add(
      (
        await service.api(
          'POST',
          '/v1/messages/send',
          number.key,
          { destinationNumber: PEER, text: 'the same' },
          headers,
        )
      ).body.id,
    )
  t.is(accepted.size, parties.length)
})
