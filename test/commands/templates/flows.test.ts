import test from 'ava'
import { linkTemplates } from '../../../src/commands/templates/link-flows.ts'
import type { FlowStatus } from '../../../src/domain/flow.ts'
import type { FlowId } from '../../../src/domain/ids.ts'
import type { ChannelNumber } from '../../../src/domain/number.ts'
import { madeFlow, upstreamId } from '../../contracts/flow-world.ts'
import type { World } from '../../contracts/world.ts'
import { openTestPglite, sharedDatabase } from '../../helpers/database.ts'
import { approved, given, openTemplateWorld } from '../../helpers/template-world.ts'
import type { TemplateWorld } from '../../helpers/template-world.ts'
import { codeOf, valueOf } from '../outcomes.ts'

const database = sharedDatabase(test, openTestPglite)
const ACCOUNT = 'another account'

function addFlow(
  { stores, clock, accountId }: TemplateWorld,
  number: ChannelNumber,
  officialStatus: FlowStatus = 'PUBLISHED',
  officialFlowId: string | null = upstreamId(),
) {
  return madeFlow(
    { stores, clock } as World,
    { tenantId: number.tenantId, accountId },
    { officialStatus, officialFlowId },
  )
}

function opening(flowId: string, more: object = {}) {
  return given({
    body: {
      body: { text: 'Hello {{customer}}, when may we come?' },
      buttons: [
        { type: 'QUICK_REPLY', text: 'Never' },
        { type: 'FLOW', text: 'Choose', flowId, screen: 'DAYS', ...more },
      ],
    },
  })
}

function upstreams(officialFlowId: string) {
  return [
    { type: 'BODY', text: 'When may we come?' },
    {
      type: 'BUTTONS',
      buttons: [
        { type: 'FLOW', text: 'Choose', flow_id: officialFlowId, flow_action: 'NAVIGATE', navigate_screen: 'DAYS' },
      ],
    },
  ]
}

async function rowOf({ stores }: TemplateWorld, number: ChannelNumber, name: string) {
  const [row] = await stores.templates.find(number, name)
  return row ?? null
}

test('a button shows our id of its Flow, and upstream is submitted its own; so is an edit', async (t) => {
  const world = await openTemplateWorld(database())
  const [first, second] = [await addFlow(world, world.official), await addFlow(world, world.official)]
  const made = await approved(world, opening(first.id))
  t.like(made.body.buttons[1], { type: 'FLOW', flowId: first.id, screen: 'DAYS' })
  t.deepEqual([made.unsupported, made.sendable], [[], true])
  const submitted = () =>
    world.platform.templates.get(made.externalId ?? '')?.components.find(({ type }) => type === 'BUTTONS')?.['buttons']
  const asked = (flowId: string | null) => [
    { type: 'QUICK_REPLY', text: 'Never' },
    { type: 'FLOW', text: 'Choose', flow_id: flowId, flow_action: 'navigate', navigate_screen: 'DAYS' },
  ]
  t.deepEqual(submitted(), asked(first.officialFlowId))
  const { body, examples } = opening(second.id)
  valueOf(
    await world.templates.update({
      number: world.official,
      idOrName: made.id,
      languageAsked: null,
      name: null,
      category: null,
      language: null,
      body,
      examples,
    }),
  )
  t.deepEqual(submitted(), asked(second.officialFlowId))
  // A listing must recognise what the upstream shows as what was submitted.
  valueOf(await world.templates.sync(world.official))
  t.like((await rowOf(world, world.official, made.id))?.body.buttons[1], { flowId: second.id })
})

const REFUSED: Readonly<Record<string, readonly [officialStatus: FlowStatus | null, problem: string]>> = {
  'a draft': ['DRAFT', 'NOT_PUBLISHED'],
  'one that upstream throttles': ['THROTTLED', 'NOT_PUBLISHED'],
  'one that it blocks': ['BLOCKED', 'NOT_PUBLISHED'],
  'one that was deprecated': ['DEPRECATED', 'NOT_PUBLISHED'],
  'one of another account': [null, 'NOT_FOUND'],
}

// [templates.update.4]
test('a button is refused for its Flow, when it is made, changed or looked at before', async (t) => {
  const world = await openTemplateWorld(database())
  const stranger = await openTemplateWorld(database())
  const { id: known } = await approved(world, { name: 'known' })
  for (const [what, [officialStatus, problem]] of Object.entries(REFUSED)) {
    const { id } = officialStatus
      ? await addFlow(world, world.official, officialStatus)
      : await addFlow(stranger, stranger.official)
    const wanted = opening(id)
    const refusals = [
      await world.templates.create(world.official, wanted),
      await world.templates.preview(world.official, wanted, {}),
      await world.templates.update({
        number: world.official,
        idOrName: known,
        languageAsked: null,
        name: null,
        category: null,
        language: null,
        body: wanted.body,
        examples: wanted.examples,
      }),
    ]
    for (const refused of refusals)
      t.like(
        refused,
        { error: { code: 'TEMPLATE_FLOW_INVALID', details: { field: 'buttons.1.flowId', problem } } } as never,
        what,
      )
  }
  t.is(codeOf(await world.templates.create(world.official, opening('flow_nobody'))), 'TEMPLATE_FLOW_INVALID')
  t.deepEqual(
    world.platform.asked.filter((op) => op === 'edit'),
    [],
  )
  t.is(world.platform.templates.size, 1)
})

test('an imported template opens the Flow of its tenant; a Flow that nobody knows keeps it from being sent', async (t) => {
  const world = await openTemplateWorld(database())
  const other = await world.join(ACCOUNT)
  const officialFlowId = upstreamId()
  const mine = await addFlow(world, world.official, 'PUBLISHED', officialFlowId)
  const { name } = world.platform.add({ components: upstreams(officialFlowId) })
  valueOf(await world.templates.sync(world.official))
  t.like(await rowOf(world, world.official, name), {
    sendable: true,
    body: { buttons: [{ type: 'FLOW', text: 'Choose', flowId: mine.id, action: 'navigate', screen: 'DAYS' }] },
  } as never)
  const unknown = await rowOf(world, other, name)
  t.deepEqual([unknown?.unsupported, unknown?.sendable, unknown?.body.buttons[0]?.flowId], [['FLOW'], false, undefined])
})

test('a Flow that becomes known after its template is linked to it at once, or by the next listing', async (t) => {
  const world = await openTemplateWorld(database())
  const names = ['at_once', 'listed'] as const
  const officialFlowIds = [upstreamId(), upstreamId()] as const
  for (const [at, name] of names.entries())
    world.platform.add({ name, components: upstreams(officialFlowIds[at] ?? '') })
  valueOf(await world.templates.sync(world.official))
  const linked = async () =>
    Promise.all(
      names.map(async (name) => {
        const row = await rowOf(world, world.official, name)
        return [row?.sendable, row?.body.buttons[0]?.flowId]
      }),
    )
  t.deepEqual(await linked(), [
    [false, undefined],
    [false, undefined],
  ])
  const flowIds: FlowId[] = [(await addFlow(world, world.official, 'PUBLISHED', officialFlowIds[0])).id]
  await linkTemplates(world.ports, { tenantId: world.official.tenantId, accountId: world.accountId })
  t.deepEqual(await linked(), [
    [true, flowIds[0]],
    [false, undefined],
  ])
  flowIds.push((await addFlow(world, world.official, 'PUBLISHED', officialFlowIds[1])).id)
  world.clock.advance(1_000)
  valueOf(await world.templates.sync(world.official))
  t.deepEqual(
    await linked(),
    flowIds.map((flowId) => [true, flowId]),
  )
  t.deepEqual((await rowOf(world, world.official, 'listed'))?.unsupported, [])
})
