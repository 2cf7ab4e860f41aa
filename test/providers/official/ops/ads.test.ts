import { createHmac } from 'node:crypto'
import test from 'ava'
import type { ExecutionContext } from 'ava'
import { adsOps } from '../../../../src/providers/official/ops/ads.ts'
import { graphError, rig } from '../scripted-graph.ts'

const ADS = { ownerId: 'num_1', accessToken: 'EAAGadstoken', appSecret: 'ads-app-secret' }
const PROOF = createHmac('sha256', ADS.appSecret).update(ADS.accessToken).digest('hex')
const AD = '120213456789012345678'

async function opened(t: ExecutionContext, credentials: Partial<typeof ADS> | { appSecret: null } = {}) {
  const marks: unknown[] = []
  const { server, graph } = await rig(t, { onMark: (...mark) => void marks.push(mark) })
  return { server, marks, ads: adsOps(graph, { ...ADS, ...credentials }) }
}

// [leads.linking.7]
test('the names of an ad come in one request, and ids keep every digit', async (t) => {
  const { server, ads } = await opened(t)
  server.on(`GET /${AD}`, {
    text: `{"id":${AD},"name":"Spring","adset":{"id":${AD}1,"name":"Young"},"campaign":{"name":"All","id":"${AD}2"}}`,
  })
  t.deepEqual(await ads.names(AD), {
    kind: 'read',
    value: { adName: 'Spring', adsetId: `${AD}1`, adsetName: 'Young', campaignId: `${AD}2`, campaignName: 'All' },
  })
  t.deepEqual(server.asked[0]?.query, { fields: 'name,adset{id,name},campaign{id,name}', appsecret_proof: PROOF })
  t.is(server.asked[0]?.headers.authorization, `Bearer ${ADS.accessToken}`)
})

test('a missing field is null, and an answer about another ad is no answer', async (t) => {
  const { server, ads } = await opened(t)
  server.on(
    `GET /${AD}`,
    { json: { id: AD, adset: { id: 'x' }, campaign: null } },
    { json: { id: '1', name: 'Another' } },
  )
  t.deepEqual(await ads.names(AD), {
    kind: 'read',
    value: { adName: null, adsetId: null, adsetName: null, campaignId: null, campaignName: null },
  })
  t.is((await ads.names(AD)).kind, 'failed')
})

test('an account that is not shared refuses, and a token that is dead marks no number', async (t) => {
  const { server, ads, marks } = await opened(t)
  for (const [answer, kind] of [
    [graphError(100, 400, { error_subcode: 33 }), 'refused'],
    [graphError(200, 403), 'refused'],
    [graphError(294, 403), 'refused'],
    [graphError(10, 403), 'refused'],
    [graphError(190, 401), 'token-dead'],
    [graphError(80_004), 'throttled'],
    [graphError(17), 'throttled'],
    [graphError(2, 503), 'failed'],
  ] as const) {
    server.on(`GET /${AD}`, answer)
    t.is((await ads.names(AD)).kind, kind)
  }
  t.is(server.asked.length, 8)
  t.deepEqual(marks, [])
})

test('up to 100 ad accounts are listed, and an empty list is a valid answer', async (t) => {
  const { server, ads } = await opened(t, { appSecret: null })
  server.on(
    'GET /me/adaccounts',
    {
      json: {
        data: [{ id: 'act_1', name: 'Shop' }, { id: 2 }, { id: 'me' }, { name: 'no id' }],
        paging: { cursors: { after: 'B' }, next: 'https://x' },
      },
    },
    { json: { data: [] } },
    graphError(190, 401),
  )
  t.deepEqual(await ads.accounts(), {
    kind: 'read',
    value: [
      { id: 'act_1', name: 'Shop' },
      { id: '2', name: null },
    ],
  })
  t.deepEqual(await ads.accounts(), { kind: 'read', value: [] })
  t.is((await ads.accounts()).kind, 'token-dead')
  t.deepEqual(server.asked[0]?.query, { fields: 'id,name', limit: '100' }, 'no proof where no secret is known')
})
