import { generateKeyPairSync } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import test from 'ava'
import { submitFlow, untilAnswers } from '../helpers/flow-service.ts'
import { reachablePeer, send } from '../helpers/message-service.ts'
import { connectOfficial, type OfficialNumber } from '../helpers/official-service.ts'
import type { Service } from '../helpers/service.ts'
import { joinService } from '../helpers/shared-service.ts'
import { until } from '../helpers/until.ts'

let service: Service

test.before(async () => {
  service = await joinService()
})

const DOCUMENT = JSON.stringify(
  {
    version: '7.1',
    screens: [
      {
        id: 'VISIT',
        title: 'Book a visit 😀',
        terminal: true,
        data: {},
        layout: {
          type: 'SingleColumnLayout',
          children: [
            { type: 'TextInput', name: 'day', label: 'Day', required: true },
            { type: 'Footer', label: 'Book', 'on-click-action': { name: 'complete', payload: { day: '${form.day}' } } },
          ],
        },
      },
    ],
  },
  null,
  2,
)

test('a Flow lives from its first draft to its end, and its document is refused at the line of its fault', async (t) => {
  const number = await connectOfficial(service)
  const ask = (method: string, path: string, body?: object) => service.api(method, `/v1/flows${path}`, number.key, body)
  const made = await ask('POST', '', { name: 'Book a visit', categories: ['APPOINTMENT_BOOKING'] })
  t.is(made.status, 201, made.text)
  const { id } = made.body
  t.like(await ask('POST', '', { name: 'Book a visit' }), {
    status: 400,
    body: { code: 'FLOW_NAME_INVALID', details: { reason: 'NOT_UNIQUE' } },
  })
  t.like(await ask('POST', `/${id}/publish`, { confirm: true }), { status: 422 })
  const broken = DOCUMENT.replace('"TextInput"', '"TextInputs"')
  const refused = await ask('POST', `/${id}/json`, { flowJson: broken })
  t.is(refused.status, 422, refused.text)
  t.is(
    refused.body.validationErrors[0].line_start,
    broken.split('\n').findIndex((line) => line.includes('TextInputs')) + 1,
  )
  t.deepEqual((await ask('GET', `/${id}`)).body.validationErrors, refused.body.validationErrors)
  t.deepEqual(
    (await ask('POST', `/${id}/publish`, { confirm: true })).body.validationErrors,
    refused.body.validationErrors,
  )
  t.deepEqual((await ask('POST', `/${id}/json`, { flowJson: DOCUMENT })).body, { validationErrors: [] })
  t.is((await ask('GET', `/${id}/json`)).body.flowJson, DOCUMENT)
  t.like((await ask('POST', `/${id}/publish`, { confirm: true })).body, {
    officialStatus: 'PUBLISHED',
    jsonVersion: '7.1',
  })
  t.like(await ask('PATCH', `/${id}`, { name: 'x' }), { status: 409, body: { code: 'FLOW_NOT_DRAFT' } })
  const next = await ask('POST', '', { name: 'Book a visit 2', cloneFromFlowId: id })
  t.is((await ask('GET', `/${next.body.id}/json`)).body.flowJson, DOCUMENT)
  t.like((await ask('POST', `/${id}/deprecate`, { supersededByFlowId: next.body.id })).body, {
    officialStatus: 'DEPRECATED',
  })
  t.like((await ask('DELETE', `/${next.body.id}`)).body, { deleted: true })
})

// [sandbox.templates-and-flows.22]
test('changes made directly at the upstream arrive by its webhook, or by a sync', async (t) => {
  const number = await connectOfficial(service)
  const ask = (method: string, path: string, body?: object) => service.api(method, `/v1/flows${path}`, number.key, body)
  const {
    body: { id, officialFlowId },
  } = await ask('POST', '', { name: 'Watched' })
  const turned = await service.control('POST', `/official/flows/${officialFlowId}/status`, { status: 'BLOCKED' })
  t.true(turned.status < 300, turned.text)
  await until('the status is told', async () => (await ask('GET', `/${id}`)).body.officialStatus === 'BLOCKED')
  t.like((await ask('POST', '/sync')).body, { imported: 0, removed: 0, total: 1 })
})

const FIXTURES = new URL('../fixtures/flows/', import.meta.url)

/**
 * Does what an operator does at the platform for a Flow with an endpoint: sets a public key, and an address when the
 * document has none.
 */
async function giveEndpoint(
  { phoneId, accessToken }: OfficialNumber,
  officialFlowId: string,
  flowJson: string,
): Promise<void> {
  const graph = async (path: string, body: Record<string, string>) => {
    const headers = { authorization: `Bearer ${accessToken}` }
    const answer = await fetch(`http://127.0.0.1:${String(service.ports['sandboxPort'])}/official/v24.0/${path}`, {
      method: 'POST',
      headers,
      body: new URLSearchParams(body),
    })
    if (!answer.ok) throw new Error(await answer.text())
  }
  const { publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2_048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  if (!flowJson.includes('data_channel_uri')) await graph(officialFlowId, { endpoint_uri: 'https://acme.shop/flow' })
  await graph(`${phoneId}/whatsapp_business_encryption`, { business_public_key: publicKey })
}

for (const file of readdirSync(FIXTURES)) {
  test(`${file} is drafted, published, sent and answered`, async (t) => {
    const flowJson = readFileSync(new URL(file, FIXTURES), 'utf8')
    const number = await connectOfficial(service)
    const ask = (method: string, path: string, body?: object) =>
      service.api(method, `/v1/flows${path}`, number.key, body)
    const { id, officialFlowId } = (await ask('POST', '', { name: file })).body
    t.deepEqual((await ask('POST', `/${id}/json`, { flowJson })).body, { validationErrors: [] })
    if (flowJson.includes('data_api_version')) {
      t.like(await ask('POST', `/${id}/publish`, { confirm: true }), {
        status: 422,
        body: { code: 'OFFICIAL_ERROR', details: { upstreamCode: 139_002 } },
      })
      await giveEndpoint(number, officialFlowId, flowJson)
    }
    t.like(await ask('POST', `/${id}/publish`, { confirm: true }), {
      status: 200,
      body: { officialStatus: 'PUBLISHED', jsonVersion: file.replace(/-.*/, '') },
    })
    const peer = await reachablePeer(service, number)
    const sent = await send(service, number, {
      destinationNumber: peer,
      flow: { flowId: id, text: 'Please tell us', cta: 'Open' },
    })
    await submitFlow(service, peer, number, { from: file })
    const [answer] = await untilAnswers(service, number, id, 1)
    t.like(answer, { flowId: id, messageId: sent.id, response: { from: file } })
  })
}
