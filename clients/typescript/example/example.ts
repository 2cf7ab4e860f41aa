/**
 * Sends a message, is told what became of it, calls somebody and hears them: BASE is where the service is, KEY the key
 * of a number, TO whom to call and write to, PORT where webhooks reach this program.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { ChannelError, Client, isServiceEvent, pages, verifyWebhook, type WebhookEvent } from '@channel/client'

const { BASE = 'http://localhost:3000', KEY = '', TO = '', PORT = '0' } = process.env
const client = new Client({ baseUrl: BASE, apiKey: KEY })
const say = (what: string, told: object): void => console.log(JSON.stringify({ what, ...told }))

// A webhook, and its deliveries, which are verified before anything is believed.
const server = createServer().listen(Number(PORT), '127.0.0.1')
await once(server, 'listening')
const address = server.address()
const port = typeof address === 'object' ? address?.port : PORT
const webhook = await client.webhooks.create({ url: `http://127.0.0.1:${port}/`, events: ['message.sent'] })
const delivered = new Promise<WebhookEvent>((resolve) => {
  server.on('request', async (request, response) => {
    const body = await buffer(request)
    const { headers } = request
    const wrong = await verifyWebhook({ body, headers }, `whsec_${'A'.repeat(44)}`).catch((error: Error) => error.name)
    const event = await verifyWebhook({ body, headers }, webhook.secret)
    response.writeHead(204).end()
    say('delivery', { wrong })
    if (isServiceEvent(event)) resolve(event)
  })
})

// A message. Sent again under the same key, it is the same message.
const text = { destinationNumber: TO, text: 'Good morning' }
const idempotencyKey = crypto.randomUUID()
const sent = await client.messages.send(text, { idempotencyKey })
const again = await client.messages.send(text, { idempotencyKey })
say('message', { id: sent.id, again: again.id })
const event = await delivered
if (event.event === 'message.sent') say('event', { id: event.data.internalMessageId })
for await (const { messages } of pages((page) => client.messages.list({ page, pageSize: 1, direction: 'OUTBOUND' })))
  say('page', { ids: messages.map(({ id }) => id) })
await client.webhooks.delete(webhook.id)
server.close()

// A refusal has a code to branch on.
const refused = await client.calls.get('call_none').catch((error: unknown) => error)
if (refused instanceof ChannelError)
  say('refusal', { status: refused.status, code: refused.code, hasId: refused.requestId !== null })

// A call, heard for a second.
const RATE = 16_000
const call = await client.calls.create({ to: TO })
const session = await client.openRealtime(call.id, { rate: RATE, onDisconnect: 'hangup' })
let heard = 0
let loudest = 0
for await (const told of session) {
  if (told.type === 'start') say('start', { callId: told.callId, rate: told.outRate })
  if (told.type === 'call' && told.status === 'ACCEPTED') session.send({ type: 'mark', name: 'greeted' })
  if (told.type === 'mark') say('mark', { name: told.name })
  if (told.type !== 'audio') continue
  const samples = new Int16Array(told.audio.slice().buffer)
  heard += samples.length
  loudest = Math.max(loudest, ...samples.map(Math.abs))
  if (heard >= RATE && loudest > 1_000) break
}
say('heard', { seconds: Math.floor(heard / RATE), isLoud: loudest > 1_000 })
session.send({ type: 'hangup' })
say('end', await session.ended)
