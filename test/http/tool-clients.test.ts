import test from 'ava'
import { serve } from '../helpers/http-app.ts'
import { World } from '../helpers/world.ts'
import { PROGRAMS } from '../helpers/tool-programs.ts'

// [tools.endpoint.2]
for (const [title, version, open] of PROGRAMS) {
  test(`${title} lists the tools and calls them by key, and its answers are those of the routes`, async (t) => {
    const world = new World()
    world.messages.add(world.number)
    world.messages.talk(world.number)
    const client = await serve(t, world)
    const key = world.numberKey.raw
    const program = await open(`${client.url}/mcp`, { authorization: `Bearer ${key}` })
    t.is(program.version(), version)
    const { tools } = await program.listTools()
    t.is(tools.length, 53)
    for (const [name, path] of [
      ['messages_history', '/v1/messages/history'],
      ['conversations_list', '/v1/conversations'],
      ['templates_list', '/v1/templates'],
      ['calls_list', '/v1/calls'],
    ] as const) {
      const { structuredContent, isError, content } = await program.callTool({ name, arguments: {} })
      t.falsy(isError)
      t.deepEqual(structuredContent, (await client.send('GET', path, { key })).body)
      t.deepEqual(JSON.parse(content[0].text), structuredContent)
    }
    const sent = await program.callTool({
      name: 'messages_send',
      arguments: { destinationNumber: '5511999990001', text: 'Hello' },
    })
    t.is(sent.structuredContent.id, world.messages.accepted[0]?.message.id)
    const refused = await program.callTool({ name: 'message_get', arguments: { id: 'unknown' } })
    t.true(refused.isError)
    t.like(JSON.parse(refused.content[0].text), { status: 404 })
    await t.throwsAsync(program.callTool({ name: 'no_such_tool', arguments: {} }), { message: /no tool no_such_tool/ })
    await program.close()
  })

  test(`${title} hears that its key is wrong`, async (t) => {
    const client = await serve(t, new World())
    await t.throwsAsync(open(`${client.url}/mcp`, { 'x-api-key': 'cms_wrong' }))
  })
}
