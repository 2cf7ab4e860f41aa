import test from 'ava'
import type { ExecutionContext } from 'ava'
import type { LeadSource } from '../../src/domain/lead.ts'
import type { PiiMode } from '../../src/domain/number.ts'
import type { Metrics } from '../../src/ports/metrics.ts'
import type { LeadStore, PrivacyStore } from '../../src/ports/stores/lead-store.ts'
import { openTestDatabase, sharedDatabase } from '../helpers/database.ts'
import { openLeadApp, PRIVATE } from '../helpers/lead-app.ts'
import type { LeadApp } from '../helpers/lead-app.ts'
import { noMetrics } from '../helpers/silent.ts'
import { until } from '../helpers/until.ts'

// Serial, because concurrent tests share the single session of an embedded database, and on a busy machine a test could
// wait for longer than a statement may take.
const database = sharedDatabase(test, openTestDatabase)
const DAY_MS = 86_400_000
const MODES = ['STORE_INDEFINITE', 'STORE_X_DAYS', 'RELAY_ONLY'] as const satisfies readonly PiiMode[]
const SOURCES = ['webhook', 'backfill'] as const satisfies readonly LeadSource[]
const GONE = { fullName: null, email: null, phone: null, fields: [] }

async function setMode({ send, own }: LeadApp, piiMode: PiiMode): Promise<void> {
  const { status } = await send('PATCH', `/v1/numbers/${own.number.id}`, {
    piiMode,
    ...(piiMode === 'STORE_X_DAYS' ? { piiRetentionDays: 7 } : {}),
  })
  if (status !== 200) throw new Error(`the mode was not set: ${status}`)
}

async function read({ send, own }: LeadApp, id: string) {
  const { status, body } = await send('GET', `/v1/leads/${id}`, undefined, { key: own.key })
  if (status !== 200) throw new Error(`no lead: ${status}`)
  return body
}

// Serial, because it strips all leads of the database.
test.serial('leads that reads showed redacted stay redacted after upkeep stripped the rows', async (t) => {
  const app = await openLeadApp(t, database())
  const page = await app.link()
  const nowMs = app.world.clock.now()
  const [young, old] = [
    await app.addLead(page, { createdAt: new Date(nowMs - 7 * DAY_MS) }),
    await app.addLead(page, { createdAt: new Date(nowMs - 7 * DAY_MS - 1) }),
  ]
  const shown = async () => [(await read(app, young.id)).lead.redacted, (await read(app, old.id)).lead.redacted]
  for (const [piiMode, stripped, after] of [
    ['STORE_INDEFINITE', 0, [false, false]],
    ['STORE_X_DAYS', 1, [false, true]],
    ['RELAY_ONLY', 1, [true, true]],
  ] as const) {
    await setMode(app, piiMode)
    t.is(await app.stores.leads.strip(100), stripped)
    await setMode(app, 'STORE_INDEFINITE')
    t.deepEqual(await shown(), [...after])
  }
})

for (const piiMode of MODES) {
  for (const source of SOURCES) {
    // [leads.privacy.2] [leads.privacy.3]
    test(`${piiMode}: a ${source} lead stored before the mode is shown as the mode says, until it is lifted`, async (t) => {
      const app = await openLeadApp(t, database())
      const lead = await app.addLead(
        await app.link(),
        { createdAt: new Date(app.world.clock.now()), adId: '3', adName: 'Spring' },
        source,
      )
      const whole = await read(app, lead.id)
      t.like(whole, { lead: { fullName: PRIVATE.fullName, redacted: false, source } })
      t.false('notice' in whole)
      await setMode(app, piiMode)
      const withheld = {
        lead: { ...whole.lead, ...GONE, redacted: true },
        notice: piiMode === 'RELAY_ONLY' ? 'PII_RELAY_ONLY' : 'PII_RETENTION_WINDOW',
      }
      t.deepEqual(await read(app, lead.id), piiMode === 'RELAY_ONLY' ? withheld : whole)
      app.world.clock.advance(7 * DAY_MS)
      t.deepEqual(await read(app, lead.id), piiMode === 'RELAY_ONLY' ? withheld : whole, 'the window is not over')
      app.world.clock.advance(1)
      const now = await read(app, lead.id)
      t.deepEqual(now, piiMode === 'STORE_INDEFINITE' ? whole : withheld)
      const { leads, total, notice } = (await app.send('GET', '/v1/leads', undefined, { key: app.own.key })).body
      t.deepEqual([leads, total, notice], [[now.lead], 1, now.notice])
      await setMode(app, 'STORE_INDEFINITE')
      t.deepEqual(await read(app, lead.id), whole, 'reads alone have withheld it')
    })

    // [leads.privacy.1]
    test(`${piiMode}: a ${source} lead stored under the mode is stored as the mode says, for good`, async (t) => {
      const app = await openLeadApp(t, database())
      const page = await app.link()
      await setMode(app, piiMode)
      const nowMs = app.world.clock.now()
      const [inside, outside] = [
        await app.addLead(page, { createdAt: new Date(nowMs - 7 * DAY_MS) }, source),
        await app.addLead(page, { createdAt: new Date(nowMs - 7 * DAY_MS - 1) }, source),
      ]
      await setMode(app, 'STORE_INDEFINITE')
      const isRedacted = { STORE_INDEFINITE: [false, false], STORE_X_DAYS: [false, true], RELAY_ONLY: [true, true] }[
        piiMode
      ]
      for (const [index, { id }] of [inside, outside].entries()) {
        const { lead, notice } = await read(app, id)
        t.like(
          lead,
          isRedacted[index]
            ? { ...GONE, redacted: true }
            : { fullName: PRIVATE.fullName, email: PRIVATE.email, phone: PRIVATE.phone, redacted: false },
        )
        t.is(notice, undefined)
      }
      const rows = await database().query<{ row: string }>(
        'select row_to_json(l)::text as row from leads l where number_id = $1 and is_redacted',
        [app.own.number.id],
      )
      t.is(rows.length, isRedacted.filter(Boolean).length)
      for (const { row } of rows)
        for (const text of Object.values(PRIVATE)) t.false(row.includes(JSON.stringify(text).slice(1, -1)), text)
    })
  }
}

// [leads.privacy.9] [events.data.7]
test.serial(
  'lead.received has what a read shows, on RELAY_ONLY the person too, and the list of events withholds it',
  async (t) => {
    const app = await openLeadApp(t, database())
    const page = await app.link()
    const told = async () =>
      JSON.parse(
        (
          await database().query<{ data: string }>(
            "select data from events where number_id = $1 and event = 'lead.received' order by position desc limit 1",
            [app.own.number.id],
          )
        )[0]?.data ?? 'null',
      )
    // Readers see only events older than every open transaction of the database server.
    const listed = (count: number) =>
      until(`${count} events are readable`, async () => {
        const { events } = (await app.send('GET', '/v1/events?event=lead.received', undefined, { key: app.own.key }))
          .body
        return events.length === count ? events.at(-1).data : null
      })
    const whole = await app.addLead(page, { createdAt: new Date(app.world.clock.now()) })
    t.deepEqual(await told(), (await read(app, whole.id)).lead)
    t.deepEqual(await listed(1), await told())

    await setMode(app, 'RELAY_ONLY')
    const relayed = await app.addLead(page, { createdAt: new Date(app.world.clock.now()) })
    const { lead } = await read(app, relayed.id)
    t.deepEqual(await told(), {
      ...lead,
      fullName: PRIVATE.fullName,
      email: PRIVATE.email,
      phone: PRIVATE.phone,
      fields: (await told()).fields,
    })
    t.is((await told()).fields.length, 4)
    t.deepEqual(await listed(2), { redacted: true })

    await setMode(app, 'STORE_X_DAYS')
    const old = await app.addLead(page, { createdAt: new Date(app.world.clock.now() - 8 * DAY_MS) })
    t.deepEqual(await told(), (await read(app, old.id)).lead)
    t.is((await told()).fullName, null)
  },
)

// [leads.privacy.4]
test.serial('a page with one redacted lead has the notice, one without has none', async (t) => {
  const app = await openLeadApp(t, database())
  const page = await app.link()
  const nowMs = app.world.clock.now()
  await app.addLead(page, { createdAt: new Date(nowMs) })
  await app.addLead(page, { createdAt: new Date(nowMs - 30 * DAY_MS) })
  await setMode(app, 'STORE_X_DAYS')
  const pages = await Promise.all(
    [1, 2, 3].map(
      async (number) =>
        (await app.send('GET', `/v1/leads?pageSize=1&page=${number}`, undefined, { key: app.own.key })).body,
    ),
  )
  t.deepEqual(
    pages.map(({ leads, notice }) => [leads.map(({ redacted }: { redacted: boolean }) => redacted), notice]),
    [
      [[false], undefined],
      [[true], 'PII_RETENTION_WINDOW'],
      [[], undefined],
    ],
  )
})

/** An application whose privacy modes `retentionOf` returns, with the metrics that it counted. */
async function openUnreadable(t: ExecutionContext, retentionOf: PrivacyStore['retentionOf']) {
  const counted: unknown[] = []
  const metrics: Metrics = { ...noMetrics, counter: (name) => ({ add: (labels) => void counted.push([name, labels]) }) }
  const app = await openLeadApp(t, database(), { privacy: { retentionOf }, metrics })
  const failures = () =>
    counted
      .filter((one) => Array.isArray(one) && one[0] === 'privacy_check_failed_total')
      .map((one) => (one as unknown[])[1])
  return { ...app, failures }
}

const FAILURES: readonly [string, string, PrivacyStore['retentionOf']][] = [
  ['fails', 'error', () => Promise.reject(new Error(`the row of ${PRIVATE.email} is broken`))],
  ['has a value nobody knows', 'unknown', async () => ({ piiMode: 'STORE_SOMETIMES', piiRetentionDays: null })],
  ['has no row', 'unknown', async () => null],
]

for (const piiMode of ['RELAY_ONLY', 'STORE_X_DAYS'] as const) {
  for (const [what, reason, retentionOf] of FAILURES) {
    // [leads.privacy.6] [leads.privacy.7]
    test(`${piiMode}: when the mode ${what}, stored leads are answered whole and without a notice, and this is counted`, async (t) => {
      const app = await openUnreadable(t, retentionOf)
      const page = await app.link()
      const whole = await app.addLead(page, { createdAt: new Date('2025-01-01T00:00:00Z') })
      await setMode(app, piiMode)
      const stripped = await app.addLead(page, { createdAt: new Date('2024-01-01T00:00:00Z') })
      t.deepEqual(app.failures(), [])
      const { lead, notice } = await read(app, whole.id)
      t.like(lead, { fullName: PRIVATE.fullName, email: PRIVATE.email, phone: PRIVATE.phone, redacted: false })
      t.is(lead.fields.length, 4)
      t.is(notice, undefined)
      const { body } = await app.send('GET', '/v1/leads', undefined, { key: app.own.key })
      t.deepEqual(
        [body.leads.map(({ id, redacted, fullName }: any) => [id, redacted, fullName]), body.notice],
        [
          [
            [whole.id, false, PRIVATE.fullName],
            [stripped.id, true, null],
          ],
          undefined,
        ],
      )
      t.deepEqual(app.failures(), [{ surface: 'leads' }, { surface: 'leads' }])
      const warned = app.log.lines.filter(({ level }) => level === 'warn')
      t.deepEqual(
        warned.map(({ fields }) => fields),
        [
          { numberId: app.own.number.id, reason },
          { numberId: app.own.number.id, reason },
        ],
      )
      for (const text of Object.values(PRIVATE)) t.false(app.log.text().includes(text))
    })
  }
}

test.serial(
  'a mode that says nothing for two seconds counts as unreadable, and one that comes in time does not',
  async (t) => {
    let answer: (row: { piiMode: string; piiRetentionDays: null }) => void = () => {}
    let asked = 0
    const app = await openUnreadable(t, () => {
      asked++
      return new Promise((resolve) => {
        answer = resolve
      })
    })
    const lead = await app.addLead(await app.link())
    const ask = async () => {
      const before = asked
      const reply = app.send('GET', `/v1/leads/${lead.id}`, undefined, { key: app.own.key })
      await until('the mode is asked for', () => asked > before)
      return { reply }
    }
    const inTime = await ask()
    app.world.clock.advance(1_999)
    answer({ piiMode: 'RELAY_ONLY', piiRetentionDays: null })
    t.like((await inTime.reply).body, { lead: { fullName: null, redacted: true }, notice: 'PII_RELAY_ONLY' })
    t.deepEqual(app.failures(), [])
    const late = await ask()
    app.world.clock.advance(2_000)
    const { status, body } = await late.reply
    t.deepEqual(
      [status, body.lead.fullName, body.lead.redacted, body.notice],
      [200, PRIVATE.fullName, false, undefined],
    )
    t.deepEqual(app.failures(), [{ surface: 'leads' }])
    t.like(
      app.log.lines.filter(({ level }) => level === 'warn'),
      [{ fields: { reason: 'late' } }],
    )
  },
)

test.serial('where leads themselves cannot be read the answer is a fault, whatever the mode says', async (t) => {
  const broken = () => Promise.reject(new Error('broken'))
  const app = await openLeadApp(t, database(), { leads: { list: broken, find: broken } as unknown as LeadStore })
  for (const path of ['/v1/leads', '/v1/leads/lead_00000000000000000000000000'])
    t.is((await app.send('GET', path, undefined, { key: app.own.key })).status, 500)
})
