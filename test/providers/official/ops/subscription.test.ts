import test from 'ava'
import { subscriptionOps } from '../../../../src/providers/official/ops/subscription.ts'
import { CREDENTIALS, rig } from '../scripted-graph.ts'

test('the account is subscribed with our callback and its token', async (t) => {
  const { server, graph } = await rig(t)
  server.on('POST /2002/subscribed_apps', { json: { success: true } })
  t.true(
    (await subscriptionOps(graph, CREDENTIALS).subscribe('https://us.example/webhooks/official/2002', 'verify-me')).ok,
  )
  t.deepEqual(server.asked[0]?.body, {
    override_callback_uri: 'https://us.example/webhooks/official/2002',
    verify_token: 'verify-me',
  })
})
