import test from 'ava'
import { AnswerRig } from '../contracts/flow-answers.ts'
import { madeFlow } from '../contracts/flow-world.ts'
import { openTestDatabase, sharedDatabase } from '../helpers/database.ts'
import { serve } from '../helpers/http-app.ts'
import { openStoredWorld } from '../helpers/stored-world.ts'

const database = sharedDatabase(test, openTestDatabase)

// [flows.scope.1] [flows.responses.4] [flows.responses.6]
test('responses are listed for the key’s own number, by page and date, newest first; a number that stores none says so', async (t) => {
  const world = await openStoredWorld(database())
  const client = await serve(t, world)
  const { tenantId } = world
  const { number, key } = await world.addOfficial(tenantId)
  const accountId = number.official?.accountId ?? ''
  const { number: sibling } = await world.addOfficial(tenantId, accountId)
  const { id } = await madeFlow(world, { tenantId, accountId }, { officialStatus: 'PUBLISHED' })
  const rig = new AnswerRig(database)
  for (const one of [number, sibling])
    await rig.send(one, { flowId: id, token: `ft_${one.id}`, externalId: `f.${one.id}` })
  const came = (of: typeof number, day: string, fields: object = {}) =>
    rig.store(of, [
      {
        contextId: `f.${of.id}`,
        token: `ft_${of.id}`,
        at: new Date(`${day}T12:00:00Z`),
        externalId: `wamid.${of.id}.${day}`,
        ...fields,
      },
    ])
  for (const day of ['2026-01-01', '2026-01-02', '2026-01-03']) await came(number, day)
  await came(number, '2025-12-01', { response: null, rawResponse: '{oops' })
  await came(sibling, '2026-01-02')
  const list = (query: string) => client.send('GET', `/v1/flows/${id}/responses${query}`, { key: key.raw })
  const all = await list('?pageSize=3')
  t.like(all.body, { total: 4, page: 1, pageSize: 3, totalPages: 2 })
  t.deepEqual(
    all.body.responses.map((one: any) => one.externalMessageId),
    ['2026-01-03', '2026-01-02', '2026-01-01'].map((day) => `wamid.${number.id}.${day}`),
  )
  t.deepEqual(Object.keys(all.body.responses[0]), [
    'id',
    'flowId',
    'contactNumber',
    'contactName',
    'conversationId',
    'messageId',
    'externalMessageId',
    'flowToken',
    'response',
    'submittedAt',
  ])
  t.like((await list('?page=2&pageSize=3')).body.responses, [{ response: null, rawResponse: '{oops' }])
  t.like((await list('?startDate=2026-01-02&endDate=2026-01-02')).body, { total: 1 })
  await world.stores.numbers.patch(tenantId, number.id, { piiMode: 'RELAY_ONLY' })
  t.deepEqual((await list('')).body, {
    responses: [],
    total: 0,
    page: 1,
    pageSize: 30,
    totalPages: 0,
    notice: 'PII_RELAY_ONLY',
  })
})
