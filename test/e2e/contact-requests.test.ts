import test from 'ava'
import {
  newPeer,
  send,
  sendText,
  untilInbox,
  untilInHistory,
  untilStatus,
  untilTold,
  write,
} from '../helpers/message-service.ts'
import { connectOfficial } from '../helpers/official-service.ts'
import type { PairedNumber, Service } from '../helpers/service.ts'
import { joinService } from '../helpers/shared-service.ts'
import { until } from '../helpers/until.ts'

let service: Service

test.before(async () => {
  service = await joinService()
})

async function conversationsOf(number: PairedNumber): Promise<any[]> {
  return (await service.api('GET', '/v1/conversations', number.key)).body.conversations
}

const kindsOf = ({ identities }: any): string[] => identities.map(({ kind }: any) => kind).toSorted()

// [message-verbs.modes.5] [identities.joining.2] [identities.looking-up.1]
test('OFFICIAL: the number that a hidden user shares when asked is that of the conversation, and reaches it from then on', async (t) => {
  const number = await connectOfficial(service)
  const peer = newPeer()
  const userId = `US.${peer}`
  await write(service, peer, number, { text: 'guess who', hiddenAs: userId })
  const [hidden] = await until('the conversation is there', async () => {
    const found = await conversationsOf(number)
    return found.length === 1 ? found : null
  })
  t.deepEqual([hidden.from, kindsOf(hidden)], [userId, ['USER_ID']])
  const asked = await send(service, number, { destinationNumber: userId, contactRequest: { text: 'May we call?' } })
  const { externalMessageId } = await untilStatus(service, number, asked.id, ['READ'])
  const tapped = await service.control('POST', `/peers/${peer}/taps`, {
    to: number.digits,
    button: 'Share contact info',
  })
  t.is(tapped.status, 201, tapped.text)
  const answer = await untilInHistory(service, number, tapped.body.externalMessageId)
  t.like(answer, {
    type: 'contacts',
    conversationId: hidden.id,
    contacts: [{ origin: 'contact_request', phones: [{ phone: `+${peer}`, wa_id: peer }] }],
  })
  const told = await untilTold(service, number, 'message.reply', tapped.body.externalMessageId)
  t.is(told.data.quotedMessageId, externalMessageId, 'it answers what was asked')
  const [only, ...others] = await conversationsOf(number)
  t.deepEqual([only.id, only.from, kindsOf(only), others.length], [hidden.id, peer, ['PHONE', 'USER_ID'], 0])
  const byNumber = await sendText(service, number, peer, 'thank you')
  await untilStatus(service, number, byNumber.id, ['READ'])
  t.deepEqual(
    (await conversationsOf(number)).map(({ id }) => id),
    [hidden.id],
  )
})

// [message-verbs.modes.5] [message-verbs.modes.7] [identities.joining.3]
test('UNOFFICIAL: nobody is asked, and a card that a hidden person sends by itself joins nobody', async (t) => {
  const number = await service.pairNumber()
  const phone = newPeer()
  const lid = `9${phone}@lid`
  await write(service, lid, number, { text: 'guess who' })
  const refused = await service.api('POST', '/v1/messages/send', number.key, {
    destinationNumber: lid,
    contactRequest: { text: 'May we call?' },
  })
  t.deepEqual(
    [refused.status, refused.body.code, refused.body.details],
    [400, 'FEATURE_NOT_SUPPORTED', { capability: 'contactRequests' }],
  )
  const contacts = [{ name: { formatted_name: 'Ana' }, phones: [{ phone: `+${phone}`, wa_id: phone }] }]
  const card = await write(service, lid, number, { type: 'contacts', contacts })
  t.like(await untilInHistory(service, number, card), { type: 'contacts', contacts, from: lid })
  const [hidden, ...others] = await conversationsOf(number)
  t.deepEqual([hidden.from, kindsOf(hidden), others.length], [lid, ['LID'], 0])
  await sendText(service, number, phone, 'is it you?')
  await untilInbox(service, phone, number, 1)
  t.is((await conversationsOf(number)).length, 2, 'the number on a card may be that of somebody else')
})
