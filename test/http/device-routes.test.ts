import test from 'ava'
import { API_ROUTES } from '../../src/http/api-routes.ts'
import { DEVICE_OP_NAMES, DEVICE_OPS } from '../../src/domain/device-ops.ts'
import { fail, refuse, succeed } from '../../src/domain/errors.ts'
import { kindOf } from '../../src/domain/kinds/kinds.ts'
import { createCaches } from '../../src/http/caches.ts'
import { serve } from '../helpers/http-app.ts'
import { World } from '../helpers/world.ts'

/** The capabilities behind which a route asks a number's device for something. */
const CAPABILITIES: ReadonlySet<string | undefined> = new Set(DEVICE_OP_NAMES.map((op) => DEVICE_OPS[op].capability))
const described = new World().deps()
const ROUTES = API_ROUTES.flatMap((routesOf) => routesOf({ ...described, ...createCaches(described) })).filter(
  ({ capability }) => CAPABILITIES.has(capability),
)
const GROUP_ID = DEVICE_OPS.getGroup.example.question.groupId
const MESSAGE = DEVICE_OPS.editMessage.example.question

/** A world whose number sent the message that the examples name. */
function worldOfExamples(): World {
  const world = new World()
  world.messages.add(world.number, {
    externalMessageId: MESSAGE.externalMessageId,
    to: MESSAGE.to,
    direction: 'OUTBOUND',
    status: 'SENT',
    sentAt: new Date(world.clock.now()),
  })
  return world
}

/** The operations that routes asked the device for when they got their documented body, with their fields. */
const asked: { readonly type: string; readonly fields: unknown }[] = []

// [groups.groups.5] [groups.groups.6] [groups.newsletters.2] [groups.newsletters.3] [groups.check.3]
for (const { method: written, path, bodyExample, bodyExamples, answer, capability } of ROUTES) {
  const method = written.toUpperCase()
  const body = bodyExample ?? Object.values(bodyExamples ?? {})[0]
  const title = `${method} ${path}`
  const place = path
    .replace('groups/{id}', `groups/${GROUP_ID}`)
    .replace('messages/{id}', `messages/${MESSAGE.externalMessageId}`)

  test.serial(`${title} asks the device once, and answers what it says in the documented form`, async (t) => {
    const world = worldOfExamples()
    const client = await serve(t, world)
    world.directory.script = Object.fromEntries(
      DEVICE_OP_NAMES.map((op) => [op, () => succeed(DEVICE_OPS[op].example.answer)]),
    )
    const { status, body: answered } = await client.send(method, place, { key: world.numberKey.raw, body })
    t.is(status, answer.status)
    t.deepEqual(answer.schema?.parse(answered), answered)
    t.is(world.directory.asked.length, 1)
    asked.push(...world.directory.asked)
  })

  // [rest.errors.13] [rest.errors.19]
  test(`${title} is 409 while the number is not connected, and FEATURE_NOT_SUPPORTED on OFFICIAL`, async (t) => {
    const world = worldOfExamples()
    const client = await serve(t, world)
    const closed = () => fail(refuse('CHANNEL_INSTANCE_NOT_CONNECTED', 'closed'))
    world.directory.script = Object.fromEntries(DEVICE_OP_NAMES.map((op) => [op, closed]))
    const refused = await client.send(method, place, { key: world.numberKey.raw, body })
    t.deepEqual([refused.status, refused.body.code], [409, 'CHANNEL_INSTANCE_NOT_CONNECTED'])
    // Numbers of either kind have it.
    if (capability && kindOf({ provider: 'OFFICIAL' }).can[capability]) return
    const official = await client.send(method, place, { key: world.addOfficial().key.raw, body })
    t.deepEqual([official.status, official.body.code], [400, 'FEATURE_NOT_SUPPORTED'])
    t.is(world.directory.asked.length, 1)
  })
}

test.serial('every op is asked by a route, as its example says', (t) => {
  for (const op of DEVICE_OP_NAMES)
    t.true(
      asked.some(
        ({ type, fields }) => type === op && JSON.stringify(fields) === JSON.stringify(DEVICE_OPS[op].example.question),
      ),
      op,
    )
})
