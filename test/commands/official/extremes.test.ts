import * as fc from 'fast-check'
import test from 'ava'
import type { ExecutionContext } from 'ava'
import { createFlows } from '../../../src/commands/flows/flows.ts'
import { createFlowListings } from '../../../src/commands/flows/listings.ts'
import { createOfficialAccounts } from '../../../src/commands/official/official.ts'
import { createListings } from '../../../src/commands/templates/listings.ts'
import { createTemplates } from '../../../src/commands/templates/templates.ts'
import type { OfficialCredentials } from '../../../src/ports/official/credentials.ts'
import type { OfficialNumber } from '../../../src/ports/official/number.ts'
import { splitChanges } from '../../../src/providers/official/inbound/changes.ts'
import { flowsOps } from '../../../src/providers/official/ops/flows.ts'
import { templatesOps } from '../../../src/providers/official/ops/templates.ts'
import { upstreamDigits } from '../../contracts/lead-world.ts'
import { openTestPglite, sharedDatabase } from '../../helpers/database.ts'
import { openTemplateWorld } from '../../helpers/template-world.ts'
import { textOf, twisted } from '../../helpers/twisted.ts'
import { until } from '../../helpers/until.ts'
import { rig } from '../../providers/official/scripted-graph.ts'
import { portsOver } from './official-rig.ts'

const database = sharedDatabase(test, openTestPglite)
const digits = fc.constant(null).map(upstreamDigits)
const RUNS = { numRuns: 4, endOnFailure: true }

const TEMPLATE = {
  name: 'order_sent',
  language: 'pt_BR',
  status: 'APPROVED',
  category: 'UTILITY',
  correct_category: 'MARKETING',
  rejected_reason: 'NONE',
  quality_score: { score: 'GREEN', date: 1_752_583_107 },
  parameter_format: 'POSITIONAL',
  components: [
    { type: 'HEADER', format: 'TEXT', text: 'Order {{1}}', example: { header_text: ['7'] } },
    { type: 'BODY', text: 'Hello {{1}}', example: { body_text: [['Ana']] }, add_security_recommendation: true },
    { type: 'FOOTER', text: 'Bye', code_expiration_minutes: 5 },
    {
      type: 'BUTTONS',
      buttons: [
        { type: 'URL', text: 'Open', url: 'https://a.example/{{1}}', example: ['https://a.example/x'] },
        { type: 'FLOW', text: 'Book', flow_id: '7', flow_action: 'NAVIGATE', navigate_screen: 'S' },
        { type: 'PHONE_NUMBER', text: 'Call', phone_number: '+1' },
      ],
    },
    {
      type: 'CAROUSEL',
      cards: [
        {
          components: [
            { type: 'HEADER', format: 'IMAGE', example: { header_handle: ['https://a.example/i'] } },
            { type: 'BODY', text: 'Card {{1}}', example: { body_text: [['x']] } },
          ],
        },
      ],
    },
  ],
}
const FLOW = {
  name: 'Book',
  status: 'PUBLISHED',
  categories: ['SURVEY'],
  json_version: '6.0',
  health_status: { can_send_message: 'LIMITED' },
  preview: { preview_url: 'https://a.example/p', expires_at: '2026-01-10T12:00:00+0000' },
  validation_errors: [
    {
      error: 'INVALID',
      error_type: 'FLOW_JSON_ERROR',
      message: 'm',
      line_start: 2,
      line_end: 2,
      column_start: 9,
      column_end: 9,
      pointers: [{ path: 'screens[0]' }],
    },
  ],
}
/** The named fields stay valid, because the whole listing depends on them; the other fields may hold anything. */
const template = digits.chain((id) => twisted({ id, ...TEMPLATE, name: `t${id}` }, ['id', 'name', 'language', 'type']))
const flow = digits.chain((id) => twisted({ id, ...FLOW }, ['id', 'name']))
const of = (id: string) => ({
  message_template_id: id,
  message_template_name: 'order_sent',
  message_template_language: 'pt_BR',
})
const EVENTS: readonly (readonly [field: string, value: (id: string) => object])[] = [
  [
    'message_template_status_update',
    (id) => ({
      ...of(id),
      event: 'PAUSED',
      reason: 'NONE',
      other_info: { title: 'FIRST_PAUSE', description: 'Three hours.' },
      rejection_info: { reason: 'r', recommendation: 'do' },
    }),
  ],
  [
    'message_template_quality_update',
    (id) => ({ ...of(id), previous_quality_score: 'GREEN', new_quality_score: 'RED' }),
  ],
  ['message_template_components_update', (id) => ({ ...of(id), message_template_element: 'Hello' })],
  [
    'template_category_update',
    (id) => ({ ...of(id), previous_category: 'UTILITY', new_category: 'UTILITY', correct_category: 'MARKETING' }),
  ],
  ['template_correct_category_detection', (id) => ({ ...of(id), correct_category: 'MARKETING' })],
  [
    'flows',
    (id) => ({ event: 'FLOW_STATUS_CHANGE', message: 'm', flow_id: id, old_status: 'DRAFT', new_status: 'PUBLISHED' }),
  ],
  [
    'business_capability_update',
    () => ({ max_daily_conversation_per_phone: 1_000, max_phone_numbers_per_business: 2 }),
  ],
  [
    'phone_number_quality_update',
    () => ({ display_phone_number: '15550783881', event: 'UPGRADE', current_limit: 'TIER_1K' }),
  ],
]

/** An account over the real rows and the real client of the upstream. */
async function accountRig(t: ExecutionContext) {
  const { server, graph } = await rig(t)
  const { ports, stores, clock, accountId, official } = await openTemplateWorld(database())
  const officialOf = (credentials: OfficialCredentials) =>
    ({ templates: templatesOps(graph, credentials), flows: flowsOps(graph, credentials) }) as OfficialNumber
  const deps = { ...ports, officialOf }
  const [templates, flows] = [createTemplates(deps), createFlows(deps)]
  const credentials = await stores.official.credentials(official.tenantId, official.id)
  const target = await stores.inbound.findTarget(accountId)
  if (!credentials || !target) throw new Error('the account is not there')
  const port = officialOf(credentials)
  const shown = <T>(edge: string, items: readonly T[]) =>
    server.on(`GET /${accountId}/${edge}`, { text: textOf({ data: items }) })
  return {
    server,
    stores,
    accountId,
    official,
    async listed(templates: readonly unknown[], flows: readonly unknown[]) {
      shown('message_templates', templates)
      shown('flows', flows)
      clock.advance(60_000)
      return [
        await createFlowListings(deps).list(accountId, port.flows, official.tenantId),
        await createListings(deps).list(accountId, port.templates, official.tenantId),
      ]
    },
    async tell(changes: readonly { readonly field: string; readonly value: unknown; readonly time: unknown }[]) {
      const entry = changes.map(({ time, ...change }) => ({ id: accountId, time, changes: [change] }))
      const split = await splitChanges(Buffer.from(textOf({ object: 'whatsapp_business_account', entry })))
      if (!split.ok) throw new Error(split.reason)
      // A change without a valid time gets the time at which it was received.
      clock.advance(1_000)
      await stores.inbound.accept(target, split.changes)
    },
    async workedOff() {
      const told = { templateTold: templates.told, flowTold: flows.told }
      const { workOff } = createOfficialAccounts({ ...portsOver({ stores, clock }), ...told })
      await until('every change of the account is worked off', async () => {
        clock.advance(60_000)
        await workOff(() => true)
        return (await database().query('select 1 from account_changes where account_id = $1', [accountId])).length === 0
      })
    },
    setAside: () => database().query('select line, reason from set_aside where account_id = $1', [accountId]),
    names: async () =>
      (
        await stores.templates.list(official, {
          page: 1,
          pageSize: 100,
          officialStatus: null,
          name: null,
          category: null,
          language: null,
          source: null,
          sendable: null,
        })
      ).items.map(({ name }) => name),
  }
}

test.serial(
  'whatever upstream shows of templates and Flows, all of them are listed, and nothing changes the second time',
  async (t) => {
    const { listed, names } = await accountRig(t)
    await fc.assert(
      fc.asyncProperty(
        fc.array(template, { minLength: 20, maxLength: 30 }),
        fc.array(flow, { minLength: 20, maxLength: 30 }),
        digits,
        async (templates, flows, id) => {
          const plain = [...templates, { id, ...TEMPLATE, name: `plain${id}` }]
          const first = await listed(plain, flows)
          t.true(
            first.every(({ ok }) => ok),
            JSON.stringify(first),
          )
          t.true((await names()).includes(`plain${id}`))
          const [ofFlows, ofTemplates] = await listed(plain, flows)
          t.like(
            [ofFlows, ofTemplates],
            [{ value: { imported: 0, updated: 0, removed: 0 } }, { value: { updated: 0, removed: 0 } }],
          )
        },
      ),
      RUNS,
    )
  },
)

/** An entry may have at most 8 KB beside its changes, or the whole post is refused. */
const time = fc.constantFrom<unknown>(
  1_768_046_340,
  1_768_046_340_000,
  '1768046340000000',
  0,
  -1,
  null,
  {},
  'x',
  1e300,
  'RAW 1e400',
  8.64e15,
  '9'.repeat(64),
)
const event = fc
  .constantFrom(...EVENTS)
  .chain(([field, valueOf]) => fc.record({ field: fc.constant(field), value: twisted(valueOf('ID'), []), time }))

test.serial('whatever an account is told of, it is worked off, and what follows is applied', async (t) => {
  const { server, stores, official, listed, tell, workedOff, setAside } = await accountRig(t)
  await fc.assert(
    fc.asyncProperty(
      fc.array(event, { minLength: 20, maxLength: 30 }),
      digits,
      twisted({ ...TEMPLATE, name: 'told' }, ['name', 'language', 'type']),
      async (events, id, shown) => {
        await listed([{ id, ...TEMPLATE, name: `n${id}` }], [{ id, ...FLOW }])
        server.on(`GET /${id}`, { text: textOf({ id, ...(shown as object) }) })
        await tell(events.map((one) => ({ ...one, value: ofId(one.value, id) })))
        const yellow = { id, ...TEMPLATE, name: `n${id}`, quality_score: { score: 'YELLOW' } }
        server.on(`GET /${id}`, { text: textOf(yellow) })
        await tell([
          {
            field: 'message_template_quality_update',
            value: { ...of(id), new_quality_score: 'YELLOW' },
            time: 1_900_000_000,
          },
        ])
        await workedOff()
        t.deepEqual(await setAside(), [])
        t.is((await stores.templates.find(official, `n${id}`))[0]?.quality, 'YELLOW')
      },
    ),
    RUNS,
  )
})

function ofId(value: unknown, id: string): unknown {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).map(([key, part]) => [key, part === 'ID' ? id : (part as unknown)]))
    : value
}
