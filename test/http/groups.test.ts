import test from 'ava'
import type { ExecutionContext } from 'ava'
import { fail, refuse, succeed } from '../../src/domain/errors.ts'
import type { ChannelNumber } from '../../src/domain/number.ts'
import * as schema from '../../src/http/routes/groups/schema.ts'
import { serve } from '../helpers/http-app.ts'
import { World } from '../helpers/world.ts'

const ID = '120363000000000001@g.us'
const GROUP = { id: ID, name: 'Support', participants: [{ number: '5511999990001', isAdmin: true }] }
const SHOWN = { ...GROUP, subject: 'Support' }

async function open(t: ExecutionContext) {
  const world = new World()
  const client = await serve(t, world)
  const send = (method: string, path: string, body?: unknown) =>
    client.send(method, path, { key: world.numberKey.raw, body })
  return { world, client, send }
}

// [groups.groups.1] [groups.newsletters.1]
test('groups and channels are listed from the device', async (t) => {
  const { world, send } = await open(t)
  const listed = [{ id: ID, name: 'Support' }]
  world.directory.script = {
    listGroups: () => succeed(listed),
    listNewsletters: () => succeed([{ id: '1@newsletter', name: 'News' }]),
  }
  t.deepEqual((await send('GET', '/v1/groups')).body, { groups: listed })
  t.deepEqual((await send('GET', '/v1/newsletters')).body, { newsletters: [{ id: '1@newsletter', name: 'News' }] })
})

// [groups.newsletters.4]
test('no channels are listed where no engine ever had the number, and 409 where one had it', async (t) => {
  const { world, client } = await open(t)
  world.directory.script = { listNewsletters: () => fail(refuse('CHANNEL_INSTANCE_NOT_CONNECTED', 'closed')) }
  const engine = { name: 'baileys', version: '1', capabilities: null, callMedia: null }
  const numbers: [what: string, fields: Partial<ChannelNumber>, status: number][] = [
    ['never connected', { state: 'CLOSE', isPaired: false, engine: null }, 200],
    ['waits for its code to be scanned', { state: 'CONNECTING', isPaired: false, engine: null }, 409],
    ['logged out', { state: 'CLOSE', isPaired: false, engine }, 409],
    ['replaced, and may come back', { state: 'CLOSE', isPaired: true, engine: null }, 409],
  ]
  for (const [index, [what, fields, status]] of numbers.entries()) {
    const { key } = world.addNumber(world.tenantId, `551196666000${index}`, fields)
    const listed = await client.send('GET', '/v1/newsletters', { key: key.raw })
    t.is(listed.status, status, what)
    if (status === 200) t.deepEqual(listed.body, { newsletters: [] })
  }
})

// [groups.newsletters.4]
test('no channels are listed where the engine cannot list them, though other failures are told', async (t) => {
  const { world, send } = await open(t)
  world.directory.script = { listNewsletters: () => fail(refuse('FEATURE_NOT_SUPPORTED', 'The engine cannot')) }
  const listed = await send('GET', '/v1/newsletters')
  t.deepEqual([listed.status, listed.body], [200, { newsletters: [] }])
  world.directory.script = { listNewsletters: () => fail(refuse('DEVICE_NETWORK_TIMEOUT', 'No answer')) }
  t.is((await send('GET', '/v1/newsletters')).status, 504)
})

// [groups.groups.2] [groups.groups.3] [groups.groups.4]
test('a group is created, read, and changed, its id written plainly or encoded', async (t) => {
  const { world, send } = await open(t)
  world.directory.script = {
    createGroup: () => succeed(GROUP),
    getGroup: () => succeed(GROUP),
    changeParticipants: () => succeed(GROUP),
  }
  const created = await send('POST', '/v1/groups', {
    subject: ' Support ',
    participants: ['+55 11 99999-0001', '5511999990001'],
  })
  t.is(created.status, 201)
  t.deepEqual(schema.group.parse(created.body), created.body)
  t.deepEqual(created.body, SHOWN)
  for (const id of [ID, encodeURIComponent(ID)]) {
    t.deepEqual((await send('GET', `/v1/groups/${id}`)).body, SHOWN)
    t.deepEqual((await send('POST', `/v1/groups/${id}/participants`, { participants: ['5511999990002'] })).body, SHOWN)
    t.deepEqual(
      (await send('DELETE', `/v1/groups/${id}/participants`, { participants: ['5511999990002'] })).body,
      SHOWN,
    )
  }
  const change = { groupId: ID, participants: ['5511999990002'] }
  t.deepEqual(world.directory.asked.slice(0, 4), [
    { type: 'createGroup', fields: { subject: 'Support', participants: ['5511999990001'] } },
    { type: 'getGroup', fields: { groupId: ID } },
    { type: 'changeParticipants', fields: { ...change, action: 'add' } },
    { type: 'changeParticipants', fields: { ...change, action: 'remove' } },
  ])
})

test('participants and numbers to look up are read as they were pasted', async (t) => {
  const { world, send } = await open(t)
  world.directory.script = {
    createGroup: () => succeed(GROUP),
    checkNumbers: () => succeed([{ input: '442079460958', exists: true, number: '442079460958', name: null }]),
  }
  await send('POST', '/v1/groups', {
    subject: 'a',
    participants: ['＋４４ ２０ ７９４６ ０９５８', '+44 (0)20 7946‑0958', '\u202A442079460958\u202C'],
  })
  const input = '0044 (0)20 7946–0958'
  t.deepEqual((await send('POST', '/v1/numbers/check', { numbers: [input] })).body, [
    { input, exists: true, number: '442079460958', name: null },
  ])
  t.deepEqual(
    world.directory.asked.map(({ fields }) => fields),
    [{ subject: 'a', participants: ['442079460958'] }, { numbers: ['442079460958'] }],
  )
  t.regex(
    (await send('POST', '/v1/numbers/check', { numbers: ['020 7946 0958'] })).body.details[0].message,
    /never begins with 0/,
  )
})

test('a group that does not exist, or whose id is none, is 404 without a code', async (t) => {
  const { world, send } = await open(t)
  world.directory.script = { getGroup: () => fail(refuse('NOT_FOUND', 'no')) }
  for (const id of [ID, '1203', '..%2f1@g.us', 'a@newsletter']) {
    const { status, body } = await send('GET', `/v1/groups/${id}`)
    t.deepEqual([status, body.code], [404, undefined], id)
  }
  t.is(world.directory.asked.length, 1)
  for (const body of [
    { subject: '' },
    { subject: ' \n' },
    { subject: '\u200B' },
    { subject: 'a'.repeat(101) },
    { subject: 'a', participants: ['x'] },
    {},
  ])
    t.is((await send('POST', '/v1/groups', body)).status, 400)
  for (const participants of [[], ['x'], undefined])
    t.is((await send('POST', `/v1/groups/${ID}/participants`, { participants })).status, 400)
})

// [groups.check.1] [message-verbs.verbs.7]
test('numbers are looked up in the order asked, under the texts asked with', async (t) => {
  const { world, send } = await open(t)
  world.directory.script = {
    checkNumbers: ({ numbers }) =>
      succeed(
        numbers.toReversed().flatMap((input: string) =>
          input.endsWith('9')
            ? []
            : [
                {
                  input,
                  exists: input.endsWith('1'),
                  number: input.endsWith('1') ? input : null,
                  name: input.endsWith('1') ? 'Ana' : null,
                },
              ],
        ),
      ),
  }
  const { status, body } = await send('POST', '/v1/numbers/check', {
    numbers: ['+55 11 99999-0001', '5511999990002', '5511999990009', '5511999990001'],
  })
  t.is(status, 200)
  t.deepEqual(schema.checkedNumbers.parse(body), body)
  const ana = { exists: true, number: '5511999990001', name: 'Ana' }
  const nobody = { exists: false, number: null, name: null }
  t.deepEqual(body, [
    { input: '+55 11 99999-0001', ...ana },
    { input: '5511999990002', ...nobody },
    { input: '5511999990009', ...nobody },
    { input: '5511999990001', ...ana },
  ])
  t.deepEqual(world.directory.asked[0]?.fields.numbers, ['5511999990001', '5511999990002', '5511999990009'])
  const wrong = await send('POST', '/v1/numbers/check', { numbers: ['5511999990001', 'x'] })
  t.deepEqual([wrong.status, wrong.body.details[0].path], [400, 'numbers.1'])
  const many = Array.from({ length: 100 }, (_, nth) => `55119999${String(nth).padStart(5, '0')}`)
  t.is((await send('POST', '/v1/numbers/check', { numbers: many })).body.length, 100)
  for (const numbers of [[], [...many, '5511999990001'], 'x'])
    t.is((await send('POST', '/v1/numbers/check', { numbers })).status, 400)
})

// [groups.check.2]
test('a tenant key looks numbers up by the number it names', async (t) => {
  const { world, client } = await open(t)
  world.directory.script = { checkNumbers: () => succeed([]) }
  const check = (headers: Record<string, string>) =>
    client.send('POST', '/v1/numbers/check', {
      key: world.tenantKey.raw,
      headers,
      body: { numbers: ['5511999990001'] },
    })
  t.is((await check({ 'x-channel-number-id': world.number.id })).status, 200)
  t.is((await check({})).body.code, 'NUMBER_REQUIRED')
  t.is((await check({ 'x-channel-number-id': world.foreignNumber.id })).body.code, 'NUMBER_NOT_FOUND')
  const official = world.addOfficial()
  t.is((await check({ 'x-channel-number-id': official.number.id })).body.code, 'FEATURE_NOT_SUPPORTED')
})
