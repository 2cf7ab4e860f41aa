import type { TestFn } from 'ava'
import { asksOver, letIn, signInOwner, signInPerson } from './oauth-browser.ts'
import { OAuthClient, saidIn } from './oauth-client.ts'
import type { PeoplePlace } from './people-life.ts'
import { call, type Answer } from './service.ts'
import { ACCEPT } from './tool-client.ts'
import { until } from './until.ts'

/** Calls a tool on one node. */
function callTool(base: string, token: string, name: string, args: object = {}): Promise<Answer> {
  return call('POST', `${base}/mcp`, {
    headers: { ...ACCEPT, authorization: `Bearer ${token}` },
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
  })
}

/** Tests of grants that change on one node while their tokens are used on the same or on another node. */
export function oauthLifeSuite(test: TestFn, name: string, place: () => PeoplePlace): void {
  test(`${name}: an app that is let in on one node works on the other, until it is shut out, or its number is gone`, async (t) => {
    const { service, asked: there } = place()
    const [here, other] = [asksOver(service), asksOver({ base: there })]
    const by = await signInOwner(service, service.tenantKey)
    const agent = await signInPerson({ base: there }, service.tenantKey, 'AGENT')
    const made = await service.api('POST', '/v1/numbers', service.tenantKey, {
      name: 'For a while',
      number: `4930${String(Math.random()).slice(2, 10)}`,
    })
    const client = await OAuthClient.register(here)
    const elsewhere = new OAuthClient(other, client.id, client.redirectUri)
    // Requested here, decided there, redeemed here, used there.
    const question = await client.askConsent()
    const { code = '' } = saidIn(
      (await agent.decide(question, { decision: 'allow', channelNumberIds: [made.body.id] })).body.redirectTo,
    )
    const { body: tokens } = await client.redeem(code, question.verifier)
    const statusOf = async (token: string) =>
      (await call('GET', `${there}/v1/numbers`, { headers: { authorization: `Bearer ${token}` } })).status
    const isRefused = (token: string) =>
      until('the other node refuses the token', async () => (await statusOf(token)) === 401 || null)
    t.is(await statusOf(tokens.access_token), 200)
    const wide = [await letIn(by, client), await letIn(by, client)] as const
    for (const { access_token: token } of wide) t.is(await statusOf(token), 200)
    const newest = (await by.send('GET', '/api/grants')).body.grants.find(({ clientId }: any) => clientId === client.id)
    t.is((await by.send('DELETE', `/api/grants/${newest.id}`)).status, 200)
    await isRefused(wide[1].access_token)
    t.is(await statusOf(wide[0].access_token), 200)
    const { body: next } = await elsewhere.refresh(wide[0].refresh_token)
    t.is(await statusOf(next.access_token), 200)
    t.is((await client.refresh(wide[0].refresh_token)).status, 400, 'a second time, on the other node')
    await isRefused(next.access_token)
    t.is(await statusOf(tokens.access_token), 200)
    t.is((await service.api('DELETE', `/v1/numbers/${made.body.id}`, service.tenantKey)).status, 200)
    await isRefused(tokens.access_token)
    t.is((await client.refresh(tokens.refresh_token)).status, 400)
  })

  test(`${name}: of a hundred who redeem a code, or a refresh token, on both nodes at once one is answered, and what it gave is over`, async (t) => {
    const { service, asked: there } = place()
    const by = await signInOwner(service, service.tenantKey)
    const client = await OAuthClient.register(asksOver(service))
    const nodes = [client, new OAuthClient(asksOver({ base: there }), client.id, client.redirectUri)] as const
    const bystander = await letIn(by, client)
    const question = await client.askConsent()
    const { code = '' } = saidIn((await by.decide(question)).body.redirectTo)
    const { refresh_token: refresh } = await letIn(by, client)
    const statusOf = async (base: string, token: string) =>
      (await call('GET', `${base}/v1/numbers`, { headers: { authorization: `Bearer ${token}` } })).status
    for (const redeem of [
      (node: OAuthClient) => node.redeem(code, question.verifier),
      (node: OAuthClient) => node.refresh(refresh),
    ]) {
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, index) => redeem(nodes[index % 2 === 0 ? 0 : 1])),
      )
      const answered = answers.filter(({ status }) => status === 200)
      t.is(answered.length, 1)
      t.true(
        answers.every(
          (answer) => answered.includes(answer) || (answer.status === 400 && answer.body.error === 'invalid_grant'),
        ),
      )
      for (const base of [service.base, there]) {
        await until(
          'the node refuses what came more than once',
          async () => (await statusOf(base, answered[0]?.body.access_token)) === 401,
        )
        t.is(await statusOf(base, bystander.access_token), 200)
      }
      t.is((await nodes[1].refresh(answered[0]?.body.refresh_token)).status, 400)
    }
  })

  test(`${name}: tools are called on both nodes with what was granted on one, and follow the person and the grant, wherever those change`, async (t) => {
    const { service, asked: there } = place()
    const here = asksOver(service)
    const ann = await signInPerson(service, service.tenantKey, 'ADMIN')
    const client = await OAuthClient.register(here)
    const resource = (await here('GET', '/.well-known/oauth-protected-resource/mcp', {})).body.resource
    const ask = { scope: 'numbers:read chat:read webhooks:read', resource }
    const question = await client.askConsent(ask)
    const { code = '' } = saidIn((await ann.decide(question)).body.redirectTo)
    // Requested and decided here, redeemed there.
    const { status, body: tokens } = await new OAuthClient(
      asksOver({ base: there }),
      client.id,
      client.redirectUri,
    ).redeem(code, question.verifier)
    t.is(status, 200)
    const onBoth = async (token: string, tool: string, expected: number) => {
      for (const base of [service.base, there]) {
        await until(`${tool} is answered ${expected}`, async () => {
          const answer = await callTool(base, token, tool)
          const { isError, content } = answer.body.result ?? {}
          return (isError ? JSON.parse(content[0].text).status : answer.status) === expected
        })
      }
    }
    const change = (body: object) => call('PATCH', `${there}/v1/users/${ann.id}`, { key: service.tenantKey, body })
    await onBoth(tokens.access_token, 'numbers_list', 200)
    await onBoth(tokens.access_token, 'webhooks_list', 200)
    t.is(
      (await call('GET', `${there}/v1/numbers`, { headers: { authorization: `Bearer ${tokens.access_token}` } }))
        .status,
      401,
      'it is for tools alone',
    )
    t.is((await change({ role: 'AGENT' })).status, 200)
    await onBoth(tokens.access_token, 'webhooks_list', 403)
    await onBoth(tokens.access_token, 'numbers_list', 200)
    t.is((await change({ status: 'DISABLED' })).status, 200)
    await onBoth(tokens.access_token, 'numbers_list', 401)
    const by = await signInOwner({ base: there }, service.tenantKey)
    const owned = await letIn(await signInOwner(service, service.tenantKey), client, undefined, ask)
    await onBoth(owned.access_token, 'numbers_list', 200)
    const { grants } = (await by.send('GET', '/api/grants')).body
    const own = grants.find(({ clientId, user }: any) => clientId === client.id && user === null)
    t.is((await by.send('DELETE', `/api/grants/${own.id}`)).status, 200)
    await onBoth(owned.access_token, 'numbers_list', 401)
  })
}
