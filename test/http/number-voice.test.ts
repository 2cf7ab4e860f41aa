import test from 'ava'
import { serve } from '../helpers/http-app.ts'
import { World } from '../helpers/world.ts'

// [voice.number-setting.1] [voice.number-setting.4] [voice.number-setting.8]
test('the bot server of a number stands beside its settings, shown without what its headers hold', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const key = world.tenantKey.raw
  const path = `/v1/numbers/${world.number.id}`
  t.is((await client.send('GET', path, { key })).body.voice, null)
  const given = {
    connectTo: 'wss://bot.example',
    headers: { authorization: 'Bearer of-the-bot' },
    answer: 'accept',
    onUnreachable: 'ring',
  }
  const { status, body } = await client.send('PATCH', path, { key, body: { voice: given } })
  t.is(status, 200)
  const shown = {
    connectTo: 'wss://bot.example/',
    headerNames: ['authorization'],
    dialect: 'native',
    rate: null,
    parameters: {},
    answer: 'accept',
    onUnreachable: 'ring',
    onDisconnect: 'hangup',
    record: false,
  }
  t.deepEqual(body.voice, shown)
  t.deepEqual((await client.send('GET', path, { key })).body.voice, shown)
  t.false('voice' in body.settings)
  t.deepEqual((await world.numbers.voiceOf(world.number.id))?.headers, given.headers)
  t.is((await client.send('PATCH', path, { key, body: { name: 'Other' } })).body.voice.answer, 'accept')
  const { headers: _, ...bare } = given
  const secrets = async (voice: object) => {
    await client.send('PATCH', path, { key, body: { voice } })
    return (await world.numbers.voiceOf(world.number.id))?.headers
  }
  t.deepEqual(await secrets({ ...bare, connectTo: 'wss://bot.example/other' }), given.headers)
  t.deepEqual(await secrets({ ...bare, connectTo: 'wss://elsewhere.example' }), {}, 'secrets are for one server')
  t.is((await client.send('PATCH', path, { key, body: { voice: null } })).body.voice, null)
})

// [voice.number-setting.1] [voice.connect-to.7]
test('a bot server that could not be dialled is refused, and nothing else of the patch is stored', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const path = `/v1/numbers/${world.number.id}`
  const refusal = async (over: object) => {
    const voice = { connectTo: 'wss://bot.example/', answer: 'accept', onUnreachable: 'ring', ...over }
    const { status, body } = await client.send('PATCH', path, {
      key: world.tenantKey.raw,
      body: { name: 'New', voice },
    })
    return [status, body.code]
  }
  t.deepEqual(await refusal({ connectTo: 'wss://10.0.0.1/' }), [400, 'MEDIA_URL_FORBIDDEN'])
  t.deepEqual(await refusal({ connectTo: 'ws://bot.example/' }), [400, 'MEDIA_URL_FORBIDDEN'])
  for (const over of [
    { connectTo: 'https://bot.example/' },
    { answer: undefined },
    { onUnreachable: 'wait' },
    { headers: { host: 'other' } },
    { rate: 44_100 },
    { dialect: 'morse' },
  ])
    t.deepEqual(await refusal(over), [400, undefined], JSON.stringify(over))
  world.numbers.put({ id: world.number.id, piiMode: 'RELAY_ONLY' })
  t.deepEqual(await refusal({ record: true }), [400, 'RECORDING_NOT_ALLOWED'])
  t.not(world.numbers.rows.get(world.number.id)?.name, 'New')
})
