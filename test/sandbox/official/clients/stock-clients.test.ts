import { verifySignature } from '@kapso/whatsapp-cloud-api/server'
import sharp from 'sharp'
import test, { type ExecutionContext } from 'ava'
import { until } from '../../../helpers/until.ts'
import { BUSINESS, startOfficial, USER } from '../official-playground.ts'
import { apiJs, STOCK_CLIENTS } from './stock-clients.ts'

const TO = `${USER}0001`

/** What reaches a user whom a client wrote all that it can. */
const REACHES = [
  { type: 'text', text: 'hello' },
  { type: 'text', text: 'an answer' },
  { type: 'image', text: 'a point' },
  { type: 'template' },
  { type: 'location' },
  { type: 'contacts' },
  { type: 'interactive' },
  { type: 'interactive' },
  { type: 'reaction' },
]

async function startWithUser(t: ExecutionContext) {
  const official = await startOfficial()
  t.teardown(() => official.close())
  await official.subscribe()
  const { control, seeded, base } = official
  await control('POST', '/official/templates', {
    accountId: seeded.accountId,
    name: 'hello',
    components: [{ type: 'BODY', text: 'Hello' }],
  })
  await control('POST', '/official/templates/hello', { event: 'APPROVED' })
  const written = await control('POST', `/peers/${TO}/messages`, { to: BUSINESS, text: 'good morning' })
  const access = {
    base: `${base}/official`,
    version: 'v24.0',
    token: seeded.accessToken,
    appSecret: seeded.appSecret,
    phoneId: seeded.phoneId,
  } as const
  return { official, access, writtenId: String(written.body.externalMessageId) }
}

for (const [name, open] of Object.entries(STOCK_CLIENTS)) {
  test(`${name} sends what it can, as its users call it, and the user gets it`, async (t) => {
    const { official, access, writtenId } = await startWithUser(t)
    const client = open(access)
    const png = await sharp({ create: { width: 1, height: 1, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    const ids = [
      await client.text(TO, 'hello'),
      await client.text(TO, 'an answer', writtenId),
      await client.image(TO, png, 'a point'),
      await client.template(TO, 'hello', 'en_US'),
      await client.location(TO),
      await client.contacts(TO),
      await client.list(TO),
      await client.contactRequest(TO),
      await client.reaction(TO, writtenId, '👍'),
    ]
    t.true(await client.typing(writtenId))
    const { messages } = await official.get(`/control/peers/${TO}/inbox`)
    t.like(messages, Object.fromEntries(REACHES.map((message, place) => [place, message])))
    t.deepEqual(
      messages.map(({ externalMessageId }: { externalMessageId: string }) => externalMessageId),
      ids,
    )
    t.is(messages.length, REACHES.length)
    t.like((await official.get(`/control/peers/${TO}/outbox`)).messages[0], { isRead: true })
    t.like((await official.get(`/control/peers/${TO}/typing`)).typing[0], { from: BUSINESS, state: 'typing' })
  })
}

test('clients take the signature and the form of what the platform posts', async (t) => {
  const { official, access } = await startWithUser(t)
  const { receiver } = official
  await until('it came', () => receiver.messages().length === 1)
  const { raw, body, signature } = receiver.posts.find(
    ({ body: posted }) => posted.entry[0].changes[0].value.messages,
  ) ?? {
    raw: Buffer.alloc(0),
    body: {},
    signature: '',
  }
  t.true(verifySignature({ appSecret: access.appSecret, rawBody: raw, signatureHeader: signature }))
  const api = apiJs(access)
  const heard: unknown[] = []
  api.on.message = ({ from, message }) => void heard.push({ from, message })
  await api.post(body, raw.toString(), signature)
  t.like(heard[0], { from: TO, message: { type: 'text', text: { body: 'good morning' } } })
  await t.throwsAsync(
    api.post(
      body,
      raw.toString(),
      signature.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
    ),
  )
})
