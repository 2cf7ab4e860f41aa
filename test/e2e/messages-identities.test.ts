import test from 'ava'
import type { ExecutionContext } from 'ava'
import {
  historyOf,
  newPeer,
  sendText,
  untilInbox,
  untilInHistory,
  untilStatus,
  untilTold,
  write,
} from '../helpers/message-service.ts'
import type { PairedNumber, Service } from '../helpers/service.ts'
import { joinService } from '../helpers/shared-service.ts'
import { until } from '../helpers/until.ts'

let service: Service

test.before(async () => {
  service = await joinService()
})

interface Person {
  readonly phone: string
  readonly lid: string
}

function newPerson(): Person {
  const phone = newPeer()
  return { phone, lid: `9${phone}@lid` }
}

/** The network tells a number of a person, or keeps to itself what it knows (`isSilent`). */
async function peer(number: PairedNumber, body: object): Promise<void> {
  const { status, text } = await service.control('POST', `/devices/${number.digits}/peers`, body)
  if (status !== 202) throw new Error(`not told: ${status} ${text}`)
}

async function conversations(number: PairedNumber): Promise<any[]> {
  return (await service.api('GET', '/v1/conversations', number.key)).body.conversations
}

/** Waits until a number has one conversation, in which `texts` were said, whichever way it is asked for. */
async function assertOne(
  t: ExecutionContext,
  number: PairedNumber,
  names: readonly string[],
  texts: { INBOUND: readonly string[]; OUTBOUND: readonly string[] },
): Promise<any> {
  const [only] = await until('there is one conversation', async () => {
    const found = await conversations(number)
    return found.length === 1 && found[0].identities.length === names.length ? found : null
  })
  t.deepEqual(only.identities.map(({ value }: any) => value).toSorted(), [...names].toSorted())
  for (const name of names)
    for (const direction of ['INBOUND', 'OUTBOUND'] as const) {
      const { messages } = await historyOf(service, number, `&peer=${name}&direction=${direction}`)
      t.deepEqual(messages.map(({ content }: any) => content).toSorted(), texts[direction].toSorted(), name)
      t.true(messages.every(({ conversationId }: any) => conversationId === only.id))
    }
  return only
}

// [identities.looking-up.2] [identities.joining.2] [engines.peers.1]
test('somebody who wrote under a private id is one conversation with the number that is told later', async (t) => {
  const number = await service.pairNumber()
  const { phone, lid } = newPerson()
  await untilInHistory(service, number, await write(service, lid, number, { text: 'hidden' }))
  const [hidden] = await conversations(number)
  t.like(hidden, { from: lid, identities: [{ kind: 'LID', value: lid }] })
  await untilStatus(service, number, (await sendText(service, number, lid, 'who is it?')).id, ['READ'])
  await peer(number, { phone, lid })
  await until('the number is known', async () => (await conversations(number))[0].from === phone)
  await untilInHistory(service, number, await write(service, phone, number, { text: 'me' }))
  await untilInHistory(service, number, await write(service, lid, number, { text: 'hidden again' }))
  await untilStatus(service, number, (await sendText(service, number, phone, 'by number')).id, ['READ'])
  await untilStatus(service, number, (await sendText(service, number, lid, 'by id')).id, ['READ'])
  const only = await assertOne(t, number, [phone, lid], {
    INBOUND: ['hidden', 'me', 'hidden again'],
    OUTBOUND: ['who is it?', 'by number', 'by id'],
  })
  t.like(only, { id: hidden.id, from: phone })
  t.deepEqual(
    (await untilInbox(service, phone, number, 2)).map(({ to }) => to),
    [phone, lid],
  )
})

// [identities.joining.2] [identities.joining.4] [engines.peers.1]
test('two conversations of one person join once the network names both; the older id stays', async (t) => {
  const number = await service.pairNumber()
  const { phone, lid } = newPerson()
  await untilInHistory(service, number, await write(service, phone, number, { text: 'open' }))
  const [first] = await conversations(number)
  await untilInHistory(service, number, await write(service, lid, number, { text: 'hidden' }))
  t.is((await conversations(number)).length, 2)
  await peer(number, { phone, lid })
  const only = await assertOne(t, number, [phone, lid], { INBOUND: ['open', 'hidden'], OUTBOUND: [] })
  t.like(only, { id: first.id, from: phone, unreadCount: 2 })
})

// [identities.joining.2] [engines.peers.2] [identities.identities.3]
test('a message that names both is from the number, and needs no other word of it', async (t) => {
  const number = await service.pairNumber()
  const { phone, lid } = newPerson()
  const both = await write(service, lid, number, { text: 'both', peer: { phone, lid } })
  t.like(await untilTold(service, number, 'message.received', both), { data: { from: `+${phone}` } })
  await untilInHistory(service, number, both)
  await untilInHistory(service, number, await write(service, lid, number, { text: 'id alone' }))
  const told = await service.control('POST', `/devices/${number.digits}/messages`, {
    to: lid,
    text: 'from the phone',
    peer: { phone },
  })
  t.is(told.status, 201)
  await untilInHistory(service, number, told.body.externalMessageId, '&direction=OUTBOUND')
  await assertOne(t, number, [phone, lid], { INBOUND: ['both', 'id alone'], OUTBOUND: ['from the phone'] })
})

// [identities.joining.2] [engines.peers.3]
test('a send to a number whose answer names the id joins who wrote under it', async (t) => {
  const number = await service.pairNumber()
  const { phone, lid } = newPerson()
  await untilInHistory(service, number, await write(service, lid, number, { text: 'hidden' }))
  await peer(number, { phone, lid, isSilent: true })
  await untilStatus(service, number, (await sendText(service, number, phone, 'hello')).id, ['READ'])
  await assertOne(t, number, [phone, lid], { INBOUND: ['hidden'], OUTBOUND: ['hello'] })
})

// [identities.joining.2] [engines.peers.4]
test('a check of a number joins who wrote under the digits or the id that the network knows', async (t) => {
  const number = await service.pairNumber()
  const { lid } = newPerson()
  const [typed, phone] = [newPeer(), newPeer()]
  await untilInHistory(service, number, await write(service, lid, number, { text: 'hidden' }))
  await untilStatus(service, number, (await sendText(service, number, typed, 'as typed')).id, ['READ'])
  t.is((await conversations(number)).length, 2)
  await peer(number, { phone, lid, forms: [typed], isSilent: true })
  const { status, body } = await service.api('POST', '/v1/numbers/check', number.key, { numbers: [typed] })
  t.is(status, 200)
  t.like(body, [{ input: typed, exists: true, number: phone }])
  await assertOne(t, number, [phone, typed, lid], { INBOUND: ['hidden'], OUTBOUND: ['as typed'] })
})
