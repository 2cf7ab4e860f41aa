import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import test from 'ava'
import type { FlowKeyPair } from '../../../../src/ports/stores/flow-key-store.ts'
import { createExchangeOpener, makeFlowKeyPair } from '../../../../src/providers/official/flow/exchange-crypto.ts'
import { isSignedBy } from '../../../../src/providers/official/inbound/signature.ts'
import { FakeClock } from '../../../helpers/fake-clock.ts'
import { PATIENCE_MS, until } from '../../../helpers/until.ts'
import { BUSINESS, startOfficial, USER } from '../official-playground.ts'

const PEER = `${USER}0006`
let pair: FlowKeyPair
const open = createExchangeOpener()

test.before(async () => {
  pair = await makeFlowKeyPair()
})

async function endpoint(t: { teardown(run: () => void): void }, listener: RequestListener): Promise<string> {
  const server = createServer({ keepAliveTimeout: PATIENCE_MS }, listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

// [sandbox.templates-and-flows.24]
test('a phone asks the endpoint of the Flow that it got, encrypted and signed, and what is missing is told', async (t) => {
  const { graph, control, seeded, subscribe, close } = await startOfficial({}, { clock: new FakeClock() })
  t.teardown(() => close())
  await subscribe()
  const asks: { readonly asked: object; readonly isSigned: boolean }[] = []
  const url = await endpoint(
    t,
    (request, response) =>
      void buffer(request).then(async (bytes) => {
        const opened = await open(bytes, [pair.privateKey])
        if (!opened) return response.writeHead(421).end('cannot be read')
        asks.push({
          asked: opened.asked,
          isSigned: isSignedBy(seeded.appSecret, bytes, String(request.headers['x-hub-signature-256'])),
        })
        return response.end(opened.asked['screen'] === 'CLEAR' ? 'not encrypted' : opened.seal('{"screen":"A"}'))
      }),
  )
  const ask = (more: object = {}) =>
    control('POST', `/peers/${PEER}/flows/exchange`, { to: BUSINESS, action: 'INIT', ...more })
  t.like(await ask({ to: '551199999' }), { status: 404 })
  t.like(await ask(), { status: 409, body: { code: 'NO_FLOW' } })
  await control('POST', `/peers/${PEER}/messages`, { to: BUSINESS, type: 'text', text: 'hi' })
  const {
    body: { id },
  } = await graph('POST', `${seeded.accountId}/flows`, { name: 'Ask', categories: ['SURVEY'] })
  const parameters = {
    flow_message_version: '3',
    flow_cta: 'Open',
    flow_id: id,
    flow_token: 'ft_1',
    flow_action: 'data_exchange',
    mode: 'draft',
  }
  await graph('POST', `${seeded.phoneId}/messages`, {
    messaging_product: 'whatsapp',
    to: PEER,
    type: 'interactive',
    interactive: { type: 'flow', body: { text: 'Please' }, action: { name: 'flow', parameters } },
  })
  await until('the Flow reached the peer', async () => (await ask()).body.code !== 'NO_FLOW')
  t.like(await ask(), { status: 409, body: { code: 'NO_ENDPOINT' } })
  await graph('POST', id, { endpoint_uri: url })
  t.like(await ask(), { status: 409, body: { code: 'NO_PUBLIC_KEY' } })
  await graph('POST', `${seeded.phoneId}/whatsapp_business_encryption`, { business_public_key: pair.publicKey })
  t.like(await ask({ screen: 'A', data: { n: 1 } }), { status: 200, body: { status: 200, body: { screen: 'A' } } })
  t.like(await ask({ action: 'ping' }), { status: 200, body: { status: 200 } })
  t.deepEqual(asks, [
    { asked: { version: '3.0', action: 'INIT', screen: 'A', data: { n: 1 }, flow_token: 'ft_1' }, isSigned: true },
    { asked: { version: '3.0', action: 'ping' }, isSigned: true },
  ])
  t.deepEqual((await ask({ screen: 'CLEAR' })).body, { status: 200, body: null })
  await graph('POST', `${seeded.phoneId}/whatsapp_business_encryption`, {
    business_public_key: (await makeFlowKeyPair()).publicKey,
  })
  t.deepEqual((await ask()).body, { status: 421, body: 'cannot be read' })
  await graph('POST', id, { endpoint_uri: 'http://127.0.0.1:1/' })
  t.like(await ask(), { status: 502, body: { code: 'ENDPOINT_UNREACHABLE' } })
})
