import test from 'ava'
import { serve } from '../helpers/http-app.ts'
import { World } from '../helpers/world.ts'

// [message-verbs.delivery.2] [message-verbs.delivery.7]
test('the way of marketing templates is chosen on an OFFICIAL number, and shown; the other kind has none', async (t) => {
  const world = new World()
  const { number } = world.addOfficial()
  const chosen: string[] = []
  const client = await serve(t, world, { marketingChosen: async (id) => void chosen.push(id) })
  const key = world.tenantKey.raw
  const path = `/v1/numbers/${number.id}`
  const shown = async (of = path) => (await client.send('GET', of, { key })).body.marketing
  t.is(await shown(), 'auto')
  const patch = (body: object, of = path) => client.send('PATCH', of, { key, body })
  t.like(await patch({ marketing: 'messages' }), { status: 200, body: { marketing: 'messages' } })
  t.is(await shown(), 'messages')
  t.deepEqual(chosen, [number.id])
  t.like(await patch({ name: 'Other' }), { body: { name: 'Other', marketing: 'messages' } })
  t.deepEqual(chosen, [number.id], 'nothing else is told to the nodes')
  for (const marketing of ['marketing_messages', null, 1]) t.is((await patch({ marketing })).status, 400)
  t.like(await patch({ marketing: 'auto' }), { body: { marketing: 'auto' } })

  const other = `/v1/numbers/${world.number.id}`
  t.is(await shown(other), null)
  t.like(await patch({ name: 'New', marketing: 'auto' }, other), {
    status: 400,
    body: { code: 'FEATURE_NOT_SUPPORTED' },
  })
  t.not((await client.send('GET', other, { key })).body.name, 'New', 'nothing of the patch is stored')
})
