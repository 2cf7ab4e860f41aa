import test from 'ava'
import { until } from '../../../helpers/until.ts'
import { BUSINESS, startOfficial, USER, type OfficialPlayground } from '../official-playground.ts'

const FIELD = 'marketing_messages_onboarding_status'

/** A platform with a template of each category. */
async function open(marketingStatus?: string | null): Promise<OfficialPlayground> {
  const official = await startOfficial()
  const { control, seeded, subscribe } = official
  await subscribe()
  for (const category of ['MARKETING', 'UTILITY'])
    await control('POST', '/official/templates', {
      name: category.toLowerCase(),
      category,
      components: [{ type: 'BODY', text: 'Hello there' }],
    })
  if (marketingStatus !== undefined)
    await control('PATCH', `/official/accounts/${seeded.accountId}`, { marketingStatus })
  return official
}

function send({ graph, seeded }: OfficialPlayground, name: string, more: object = {}, edge = 'marketing_messages') {
  return graph('POST', `${seeded.phoneId}/${edge}`, {
    messaging_product: 'whatsapp',
    to: `${USER}0001`,
    type: 'template',
    template: { name, language: { code: 'en_US' } },
    ...more,
  })
}

test('an account says how far its marketing messages are let in, by default that it is eligible', async (t) => {
  const official = await open()
  const { control, graph, seeded } = official
  const read = async () => (await graph('GET', `${seeded.accountId}?fields=${FIELD}`)).body
  t.deepEqual(await read(), { id: seeded.accountId, [FIELD]: 'ELIGIBLE' })
  const set = (marketingStatus: string | null) =>
    control('PATCH', `/official/accounts/${seeded.accountId}`, { marketingStatus })
  t.is((await set('ONBOARDED')).body.marketingStatus, 'ONBOARDED')
  t.is((await read())[FIELD], 'ONBOARDED')
  await set(null)
  t.is((await read()).error.code, 100)
  await official.close()
})

test('a marketing message of an account that is let in tells so by its statuses and in the inbox', async (t) => {
  const official = await open('ONBOARDED')
  const { receiver, get } = official
  const { status, body } = await send(official, 'marketing', { message_activity_sharing: true })
  t.is(status, 200)
  t.deepEqual(Object.keys(body), ['messaging_product', 'contacts', 'messages'])
  const { id } = body.messages[0]
  await until('it was read', () => receiver.statusesOf(id).length === 3)
  t.like(receiver.statusesOf(id)[0], {
    status: 'sent',
    pricing: { billable: true, category: 'marketing_lite' },
    conversation: { origin: { type: 'marketing_lite' } },
  })
  const ordinary = (await send(official, 'marketing', {}, 'messages')).body.messages[0].id
  await until('the other was read', () => receiver.statusesOf(ordinary).length === 3)
  t.is(receiver.statusesOf(ordinary)[0].pricing.category, 'marketing')
  t.false('conversation' in receiver.statusesOf(ordinary)[0])
  t.deepEqual(
    (await get(`/control/peers/${USER}0001/inbox`)).messages.map(({ from, edge }: any) => [from, edge]),
    [
      [BUSINESS, 'marketing_messages'],
      [BUSINESS, 'messages'],
    ],
  )
  await official.close()
})

test('an account that is not let in sends as all do, unless it asks not to', async (t) => {
  const official = await open()
  const { receiver } = official
  const { body } = await send(official, 'marketing', { product_policy: 'CLOUD_API_FALLBACK' })
  await until('it was sent', () => receiver.statusesOf(body.messages[0].id).length > 0)
  t.is(receiver.statusesOf(body.messages[0].id)[0].pricing.category, 'marketing')
  t.is((await send(official, 'marketing', { product_policy: 'STRICT' })).body.error.code, 134102)
  t.is((await send(official, 'marketing', { product_policy: 'SOME' })).status, 400)
  await official.close()
})

test('what is no marketing template is refused there, and a fault refuses once or as often as it says', async (t) => {
  const official = await open('ONBOARDED')
  const { control } = official
  t.like((await send(official, 'marketing', { type: 'text', text: { body: 'hi' } })).body.error, {
    code: 100,
    error_data: { details: 'Message must be a template message.' },
  })
  t.is((await send(official, 'utility')).body.error.code, 134100)
  await control('POST', '/faults', { match: { op: 'message.marketing' }, error: '134101' })
  t.is((await send(official, 'marketing')).body.error.code, 134101)
  t.is((await send(official, 'marketing')).status, 200)
  await control('POST', '/faults', { match: { op: 'message.marketing' }, error: '131009', times: 2 })
  for (const status of [400, 400, 200]) t.is((await send(official, 'marketing')).status, status)
  await official.close()
})
