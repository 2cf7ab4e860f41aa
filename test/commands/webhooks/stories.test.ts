import test from 'ava'
import { areStoriesWanted } from '../../../src/commands/webhooks/stories.ts'
import type { NumberId } from '../../../src/domain/ids.ts'
import type { ChannelNumber } from '../../../src/domain/number.ts'
import type { Webhook } from '../../../src/domain/webhook.ts'
import { World } from '../../helpers/world.ts'
import { makeWebhook } from '../../contracts/webhook-store.ts'

const SECRET = 'whsec_c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0'

function rig() {
  const { numbers, webhooks, number } = new World()
  const subscribe = (to: ChannelNumber, events: Webhook['events']) =>
    makeWebhook(webhooks, {
      tenantId: to.tenantId,
      numberId: to.id,
      name: null,
      url: 'https://example.com',
      events,
      secret: SECRET,
    })
  const areWanted = (numberId: NumberId) => areStoriesWanted({ numbers, webhooks }, numberId)
  return { webhooks, number, subscribe, areWanted }
}

test('stories are wanted while an active webhook of the number names them', async (t) => {
  const { webhooks, number, subscribe, areWanted } = rig()
  t.false(await areWanted(number.id))
  const { id, tenantId } = await subscribe(number, ['message.stories'])
  t.true(await areWanted(number.id))
  await webhooks.patch({ tenantId, numberId: null }, id, { active: false })
  t.false(await areWanted(number.id))
})

test('a webhook with all events wants stories, one without them does not', async (t) => {
  const { number, subscribe, areWanted } = rig()
  await subscribe(number, ['message.received'])
  t.false(await areWanted(number.id))
  await subscribe(number, ['*'])
  t.true(await areWanted(number.id))
})

test('a removed number wants no stories', async (t) => {
  const { areWanted } = rig()
  t.false(await areWanted('num_gone' as NumberId))
})
