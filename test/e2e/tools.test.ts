import test from 'ava'
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client'
import { Client as EarlierClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as EarlierTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ConsentingBrowser } from '../helpers/consenting-browser.ts'
import type { Given } from '../helpers/consenting-browser.ts'
import { keepOAuth } from '../helpers/kept-oauth.ts'
import { FAST } from '../helpers/message-service.ts'
import type { PairedNumber, Service } from '../helpers/service.ts'
import { joinService } from '../helpers/shared-service.ts'
import { PROGRAMS } from '../helpers/tool-programs.ts'

let service: Service
let number: PairedNumber

test.before(async () => {
  service = await joinService(FAST)
  number = await service.pairNumber()
})

const base = (): string => `http://localhost:${service.ports['port']}`

/**
 * A client whose person consents in the browser wherever the client sends it. `back` is the last address that the
 * browser returned to.
 */
function keeping(browser: ConsentingBrowser, given: () => Given) {
  const sentTo: URL[] = []
  const came: { back?: URLSearchParams } = {}
  const { kept, provider } = keepOAuth('Agent', async (url) => {
    sentTo.push(url)
    came.back = (await browser.allow(url, given())).searchParams
  })
  return { kept, came, sentTo, provider }
}

for (const [title, , open] of PROGRAMS) {
  test(`${title} works with the running service by key: what it reads is what the routes answer, what it sends arrives`, async (t) => {
    const program = await open(`${base()}/mcp`, { authorization: `Bearer ${number.key}` })
    t.is((await program.listTools()).tools.length, 53)
    const status = await program.callTool({ name: 'number_status', arguments: {} })
    t.deepEqual(status.structuredContent, (await service.api('GET', '/v1/status', number.key)).body)
    const sent = await program.callTool({
      name: 'messages_send',
      arguments: { destinationNumber: '5511999990001', text: title, idempotencyKey: title },
    })
    t.deepEqual(
      (
        await program.callTool({
          name: 'messages_send',
          arguments: { destinationNumber: '5511999990001', text: title, idempotencyKey: title },
        })
      ).structuredContent,
      sent.structuredContent,
    )
    const read = await program.callTool({ name: 'message_get', arguments: { id: sent.structuredContent.id } })
    t.is(
      read.structuredContent.id,
      (await service.api('GET', `/v1/messages/${sent.structuredContent.id}`, number.key)).body.id,
    )
    await program.close()
  })
}

test('a client gets access by itself: discovery, registration, consent for one number, tools, refresh, and a request for more permissions', async (t) => {
  const browser = await ConsentingBrowser.signIn(base(), service.tenantKey)
  const { kept, came, sentTo, provider } = keeping(browser, () => ({ channelNumberIds: [number.id] }))
  const connect = async () => {
    const client = new Client({ name: 'agent', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
    const transport = new StreamableHTTPClientTransport(new URL(`${base()}/mcp`), { authProvider: provider })
    return { client, transport, connected: client.connect(transport) }
  }
  const first = await connect()
  await t.throwsAsync(first.connected, { instanceOf: UnauthorizedError })
  t.is(sentTo[0]?.searchParams.get('resource'), `${base()}/mcp`)
  await first.transport.finishAuth(came.back ?? new URLSearchParams())

  const { client, transport, connected } = await connect()
  await connected
  const names = (await client.listTools()).tools.map(({ name }) => name)
  t.true(names.includes('messages_history') && names.includes('numbers_list') && !names.includes('messages_send'))
  const listed = await client.callTool({ name: 'numbers_list', arguments: {} })
  t.deepEqual(
    (listed.structuredContent as any).numbers.map(({ id }: { id: string }) => id),
    [number.id],
  )
  t.falsy((await client.callTool({ name: 'messages_history', arguments: {} })).isError)

  // Only the access token is lost; the refresh token is still there.
  const { refresh_token: before } = kept.tokens
  kept.tokens = { ...kept.tokens, access_token: 'gone' }
  t.falsy((await client.callTool({ name: 'number_status', arguments: {} })).isError)
  t.not(kept.tokens.refresh_token, before)

  const send = { name: 'messages_send', arguments: { destinationNumber: '5511999990001', text: 'Hello' } }
  await t.throwsAsync(client.callTool(send), { instanceOf: UnauthorizedError })
  t.true(sentTo.at(-1)?.searchParams.get('scope')?.split(' ').includes('chat:send'))
  await transport.finishAuth(came.back ?? new URLSearchParams())
  t.is(((await client.callTool(send)).structuredContent as any).status, 'QUEUED')
  await client.close()
})

test('a client of the earlier protocol version gets access by itself too, and asks for more permissions when it needs them', async (t) => {
  const browser = await ConsentingBrowser.signIn(base(), service.tenantKey)
  const { kept, came, sentTo, provider } = keeping(browser, () => ({ channelNumberIds: null }))
  const open = () =>
    new EarlierTransport(new URL(`${base()}/mcp`), {
      authProvider: provider as ConstructorParameters<typeof EarlierTransport>[1] extends
        | { authProvider?: infer P }
        | undefined
        ? NonNullable<P>
        : never,
    })
  const transport = open()
  await t.throwsAsync(
    new EarlierClient({ name: 'agent', version: '1' }).connect(transport as Parameters<EarlierClient['connect']>[0]),
  )
  await transport.finishAuth(came.back?.get('code') ?? '')
  const client = new EarlierClient({ name: 'agent', version: '1' })
  const connected = open()
  await client.connect(connected as Parameters<EarlierClient['connect']>[0])
  const status: any = await client.callTool({ name: 'number_status', arguments: { channelNumberId: number.id } })
  t.is(status.structuredContent.numberId, number.id)

  const send = {
    name: 'messages_send',
    arguments: { channelNumberId: number.id, destinationNumber: '5511999990001', text: 'Hello' },
  }
  // With a refresh token the client would use that, which gives no new permissions. So the test removes it.
  kept.tokens = { ...kept.tokens, refresh_token: undefined }
  await t.throwsAsync(client.callTool(send))
  t.is(sentTo.at(-1)?.searchParams.get('scope'), 'chat:send')
  await connected.finishAuth(came.back?.get('code') ?? '')
  const sent: any = await client.callTool(send)
  t.is(sent.structuredContent.status, 'QUEUED')
  await client.close()
})
