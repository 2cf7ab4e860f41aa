import test from 'ava'
import * as fc from 'fast-check'
import type { Lead } from '../../src/domain/lead.ts'
import * as schema from '../../src/http/routes/leads/schema.ts'
import { ANY_LETTER } from '../helpers/any-letter.ts'
import { openTestDatabase, sharedDatabase } from '../helpers/database.ts'
import { openLeadApp, PRIVATE, QUESTIONS, upstreamDigits } from '../helpers/lead-app.ts'
import { counted } from '../helpers/size.ts'
import { until } from '../helpers/until.ts'

// Serial, because concurrent tests share the single session of an embedded database, and on a busy machine a test could
// wait for longer than a statement may take.
const database = sharedDatabase(test, openTestDatabase)
const DAY_MS = 86_400_000

// [leads.routes.2] [leads.routes.13] [leads.object.1] [leads.routes.12] [leads.object.8]
test.serial('a lead is read by our id alone, with every field the specification names', async (t) => {
  const { send, own, link, addLead } = await openLeadApp(t, database())
  const page = await link()
  const leadgenId = '12345678901234567890'
  const [form] = page.forms
  const lead = await addLead(page, {
    leadgenId,
    adId: '120210987654321098',
    adName: 'Spring',
    adsetName: 'Set',
    campaignName: 'Cars',
    isOrganic: false,
    createdAt: new Date('2025-12-31T23:59:59.123Z'),
  })
  const { status, body } = await send('GET', `/v1/leads/${lead.id}`, undefined, { key: own.key })
  t.is(status, 200)
  t.deepEqual(schema.leadRead.parse(body), body)
  t.deepEqual(body, {
    lead: {
      id: lead.id,
      leadgenId,
      channelNumberId: own.number.id,
      pageId: page.pageId,
      pageName: page.pageName,
      formId: form?.formId,
      formName: 'Test drive',
      adId: '120210987654321098',
      adName: 'Spring',
      adsetName: 'Set',
      campaignName: 'Cars',
      platform: 'fb',
      isOrganic: false,
      createdAt: '2025-12-31T23:59:59.123Z',
      fullName: PRIVATE.fullName,
      email: PRIVATE.email,
      phone: PRIVATE.phone,
      fields: [PRIVATE.fullName, PRIVATE.email, PRIVATE.phone, PRIVATE.model].map((value, index) => ({
        key: QUESTIONS[index]?.key,
        label: QUESTIONS[index]?.label,
        values: [value],
      })),
      consentGiven: null,
      conversationId: null,
      autoSendStatus: 'none',
      autoSendReason: null,
      autoSendMessageId: null,
      source: 'webhook',
      redacted: false,
      namesResolvedAt: '2026-01-01T00:00:00.001Z',
      receivedAt: '2026-01-01T00:00:00.001Z',
    },
  })
  for (const id of [leadgenId, 'x', 'lead_00000000000000000000000000', encodeURIComponent(`${lead.id} `)]) {
    t.like(
      await send('GET', `/v1/leads/${id}`, undefined, { key: own.key }),
      { status: 404, body: { code: 'LEAD_NOT_FOUND' } },
      id,
    )
  }
})

// [leads.paging.5]
test.serial(
  'leads are listed newest first by when they were submitted, ties by id, and every match is counted',
  async (t) => {
    const { send, own, link, addLead } = await openLeadApp(t, database())
    const page = await link()
    const at = (minute: number) => new Date(Date.UTC(2025, 11, 1, 0, minute))
    const leads: Lead[] = []
    for (const minute of [3, 1, 2, 2, 2, 5, 4]) leads.push(await addLead(page, { createdAt: at(minute) }))
    const expected = leads
      .toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1))
      .map(({ id }) => id)
    const list = async (query: string) => (await send('GET', `/v1/leads${query}`, undefined, { key: own.key })).body
    const all = await list('')
    t.deepEqual(schema.leadPage.parse(all), all)
    t.deepEqual(
      [all.leads.map(({ id }: Lead) => id), all.total, all.page, all.pageSize, all.totalPages],
      [expected, 7, 1, 30, 1],
    )
    const third = await list('?page=3&pageSize=3')
    t.deepEqual([third.leads.map(({ id }: Lead) => id), third.total, third.totalPages], [expected.slice(6), 7, 3])
    const beyond = await list('?page=4&pageSize=3')
    t.deepEqual([beyond.leads, beyond.total, beyond.page, beyond.totalPages], [[], 7, 4, 3])
  },
)

// [leads.paging.1] [leads.paging.2] [leads.paging.3] [leads.paging.5]
test.serial(
  'pages: strange numbers are the defaults, a size is capped before the ceiling is looked at, and none are deep',
  async (t) => {
    const { send, own } = await openLeadApp(t, database())
    const list = (query: string) => send('GET', `/v1/leads?${query}`, undefined, { key: own.key })
    t.deepEqual((await list('')).body, { leads: [], total: 0, page: 1, pageSize: 30, totalPages: 0 })
    for (const query of [
      'page=0&pageSize=0',
      'page=-1&pageSize=-5',
      'page=x&pageSize=',
      'page=1.5&pageSize=1e1',
      'page=&pageSize=NaN',
    ])
      t.like((await list(query)).body, { page: 1, pageSize: 30 }, query)
    t.like((await list('page=100&pageSize=5000')).body, { page: 100, pageSize: 100 })
    t.like(
      (await list(`pageSize=${'9'.repeat(20)}`)).body,
      { page: 1, pageSize: 100 },
      'large, however many digits say so',
    )
    t.like((await list('page=10000&pageSize=1')).body, { page: 10_000, pageSize: 1 })
    for (const query of [
      'page=101&pageSize=100',
      'page=101&pageSize=5000',
      'page=334',
      'page=10001&pageSize=1',
      'page=999999999999999&pageSize=1',
      `page=${'9'.repeat(20)}&pageSize=1`,
      `page=${'9'.repeat(400)}`,
    ]) {
      t.like(await list(query), { status: 400, body: { code: 'INVALID_PAGINATION' } }, query)
    }
  },
)

// [leads.paging.4]
test.serial(
  'dates are inclusive on both ends, a plain end date with its whole day, and malformed or reversed ones are INVALID_DATE_RANGE',
  async (t) => {
    const { send, own, link, addLead } = await openLeadApp(t, database())
    const page = await link()
    const names = ['2025-06-01T00:00:00.000Z', '2025-06-01T23:59:59.999Z', '2025-06-02T00:00:00.000Z']
    for (const name of names) await addLead(page, { createdAt: new Date(name) })
    const found = async (query: string) => {
      const { body } = await send('GET', `/v1/leads?${query}`, undefined, { key: own.key })
      t.is(body.total, body.leads?.length, query)
      return body.leads.map(({ createdAt }: { createdAt: string }) => names.indexOf(createdAt)).toSorted()
    }
    t.deepEqual(await found('startDate=2025-06-01&endDate=2025-06-01'), [0, 1])
    t.deepEqual(await found('startDate=2025-06-01T23:59:59.999Z'), [1, 2])
    t.deepEqual(await found('endDate=2025-06-01T00:00:00Z'), [0])
    t.deepEqual(await found('startDate=2025-06-02T02:00:00%2B02:00&endDate=2025-06-02'), [2])
    t.deepEqual(await found('startDate=2025-06-02T02:00:00+02:00'), [2], 'a plus that was not encoded')
    t.deepEqual(await found('startDate=2025-06-02T00:00:00.001Z'), [])
    const wrong = [
      'startDate=',
      'startDate=yesterday',
      'startDate=2025-13-01',
      'startDate=2025-02-30',
      'startDate=2025-06-01T25:00:00Z',
      'endDate=2025-6-1',
      'endDate=1735689600',
      'endDate=0000-01-01',
      'startDate=2025-06-02&endDate=2025-06-01',
      'startDate=2025-06-01&startDate=2025-06-02',
      'startDate=+275760-09-13T00:00:00Z',
    ]
    for (const query of wrong)
      t.like(
        await send('GET', `/v1/leads?${query}`, undefined, { key: own.key }),
        { status: 400, body: { code: 'INVALID_DATE_RANGE' } },
        query,
      )
  },
)

// [leads.routes.1]
test.serial('form, ad and Page filter by their texts, alone and together', async (t) => {
  const { send, own, link, addLead } = await openLeadApp(t, database())
  const [one, two] = [await link(), await link()]
  const ads = ['9007199254740993', '9007199254740992']
  const [a, b, c] = [
    await addLead(one, { adId: ads[0] ?? null }),
    await addLead(one, { adId: ads[1] ?? null, formId: '77' }),
    await addLead(two, { formId: '77' }),
  ]
  const ids = (list: readonly string[]) => list.toSorted()
  const found = async (query: Record<string, string>) => {
    const { body } = await send('GET', `/v1/leads?${new URLSearchParams(query)}`, undefined, { key: own.key })
    t.is(body.total, body.leads.length)
    return body.leads.map(({ id }: Lead) => id).toSorted()
  }
  t.deepEqual(await found({ adId: ads[0] ?? '' }), ids([a.id]), 'a digit beyond 2^53 tells two ads apart')
  t.deepEqual(await found({ formId: '77' }), ids([b.id, c.id]))
  t.deepEqual(await found({ pageId: one.pageId }), ids([a.id, b.id]))
  t.deepEqual(await found({ formId: '77', pageId: two.pageId }), ids([c.id]))
  t.deepEqual(await found({ formId: '77', pageId: one.pageId, adId: ads[1] ?? '' }), ids([b.id]))
  for (const query of [
    { formId: '077' },
    { formId: '' },
    { formId: '77 ' },
    { adId: "' or 1=1" },
    { pageId: 'null' },
    { adId: '\uffff' },
  ])
    t.deepEqual(await found(query), [], JSON.stringify(query))
})

// [leads.routes.3] [leads.routes.12]
test.serial(
  'an erased lead is gone for good: not read, not listed, not counted, its event empty, and its notice does not bring it back',
  async (t) => {
    const { send, stores, own, link, addLead } = await openLeadApp(t, database())
    const page = await link()
    const [kept, erased] = [await addLead(page), await addLead(page)]
    const path = `/v1/leads/${erased.id}`
    t.deepEqual((await send('DELETE', path, undefined, { key: own.key })).body, { deleted: true, id: erased.id })
    for (const method of ['GET', 'DELETE'])
      t.like(await send(method, path, undefined, { key: own.key }), { status: 404, body: { code: 'LEAD_NOT_FOUND' } })
    const { body } = await send('GET', '/v1/leads', undefined, { key: own.key })
    t.deepEqual([body.leads.map(({ id }: Lead) => id), body.total], [[kept.id], 1])
    await t.throwsAsync(addLead(page, { leadgenId: erased.leadgenId }), { message: 'the lead is known' })
    await t.throwsAsync(addLead(page, { leadgenId: erased.leadgenId }, 'backfill'), { message: 'the lead is known' })
    t.is(
      await stores.leadNotices.accept(page.appId, page.appSecret, [
        { leadgenId: erased.leadgenId, pageId: page.pageId, formId: null, adId: null },
      ]),
      0,
    )
    // Readers see only events older than every open transaction of the database server.
    const events = await until('both events are readable', async () => {
      const { body: told } = await send('GET', '/v1/events?event=lead.received', undefined, { key: own.key })
      return told.events.length === 2 ? told.events : null
    })
    t.deepEqual(
      events.map(({ data }: { data: object }) => data),
      [{ ...events[0].data, id: kept.id }, { redacted: true }],
    )
  },
)

// [leads.routes.12]
test.serial(
  'leads are of one number: keys of another number and tenant, and a tenant key without the header, get none',
  async (t) => {
    const app = await openLeadApp(t, database())
    const { send, own, tenantKey, link, addLead, addNumber } = app
    const lead = await addLead(await link())
    const path = `/v1/leads/${lead.id}`
    const second = await addNumber()
    const other = await openLeadApp(t, database())
    const named = (numberId: string) => ({ headers: { 'x-channel-number-id': numberId } })

    t.is((await send('GET', path, undefined, { key: tenantKey, ...named(own.number.id) })).body.lead.id, lead.id)
    t.is((await send('GET', '/v1/leads', undefined, named(own.number.id))).body.total, 1)
    for (const [method, at] of [
      ['GET', path],
      ['DELETE', path],
      ['GET', '/v1/leads'],
    ] as const) {
      const refused = async (
        options: { key?: string; headers?: Record<string, string> },
        status: number,
        code: string | undefined,
        by = send,
      ) => {
        const reply = await by(method, at, undefined, options)
        t.deepEqual([reply.status, reply.body.code], [status, code], `${method} ${at} ${JSON.stringify(options)}`)
      }
      const notThere = async (options: { key?: string; headers?: Record<string, string> }, by = send) => {
        if (at === path) await refused(options, 404, 'LEAD_NOT_FOUND', by)
        else t.is((await by(method, at, undefined, options)).body.total, 0)
      }
      await refused({ key: tenantKey }, 403, 'TENANT_SCOPE_NOT_ALLOWED')
      await refused({ key: 'cms_no' }, 401, undefined)
      for (const numberId of [other.own.number.id, 'num_00000000000000000000000000', 'x'])
        await refused(named(numberId), 404, 'NUMBER_NOT_FOUND')
      await refused({ key: own.key, ...named(second.number.id) }, 404, 'NUMBER_NOT_FOUND')
      await notThere({ key: second.key })
      await notThere(named(second.number.id))
      await notThere({ key: other.own.key }, other.send)
      await notThere(named(other.own.number.id), other.send)
    }
    t.is((await send('GET', path, undefined, { key: own.key })).status, 200)
  },
)

// [leads.scope.3]
test.serial('a lead stays with the number that its Page was linked to when it was stored', async (t) => {
  const { send, own, link, addLead, addNumber } = await openLeadApp(t, database())
  const page = await link()
  const [second, before] = [await addNumber(), await addLead(page)]
  t.is((await send('PATCH', `/v1/lead-pages/${page.pageId}`, { channelNumberId: second.number.id })).status, 200)
  const after = await addLead(page)
  t.is((await send('DELETE', `/v1/lead-pages/${page.pageId}`)).status, 200)
  const ids = async (key: string) =>
    (await send('GET', '/v1/leads', undefined, { key })).body.leads.map(({ id }: Lead) => id)
  t.deepEqual([await ids(own.key), await ids(second.key)], [[before.id], [after.id]])
  t.is(
    (await send('GET', `/v1/leads/${after.id}`, undefined, { key: second.key })).body.lead.channelNumberId,
    second.number.id,
  )
})

test.serial('no query or path makes a read of leads fail by a fault of ours', async (t) => {
  const { send, own, link, addLead } = await openLeadApp(t, database())
  await addLead(await link())
  const text = fc.oneof(
    fc.string({ unit: ANY_LETTER, maxLength: 40 }),
    fc.constantFrom('2025-06-01', '1', upstreamDigits(), 'a\0', '\ud800'),
  )
  const query = fc.dictionary(
    fc.constantFrom('formId', 'adId', 'pageId', 'startDate', 'endDate', 'page', 'pageSize'),
    text,
  )
  await fc.assert(
    fc.asyncProperty(query, text, async (fields, id) => {
      const asked = new URLSearchParams(
        Object.entries(fields).map(([name, value]): [string, string] => [name, value.toWellFormed()]),
      )
      const replies = await Promise.all([
        send('GET', `/v1/leads?${asked}`, undefined, { key: own.key }),
        ...(['GET', 'DELETE'] as const).map((method) =>
          send(method, `/v1/leads/${encodeURIComponent(id.toWellFormed())}`, undefined, { key: own.key }),
        ),
      ])
      return replies.every(({ status }) => status < 500)
    }),
    { numRuns: counted(60, 15) },
  )
  t.is((await send('GET', '/v1/leads', undefined, { key: own.key })).body.total, 1)
})

test.serial('days count for the total however many leads each has', async (t) => {
  const { send, own, link, addLead } = await openLeadApp(t, database())
  const page = await link()
  for (let day = 0; day < 5; day++)
    for (let lead = 0; lead <= day; lead++)
      await addLead(
        page,
        { createdAt: new Date(Date.UTC(2025, 4, 1) + day * DAY_MS + lead) },
        lead % 2 ? 'backfill' : 'webhook',
      )
  const total = async (query: string) =>
    (await send('GET', `/v1/leads?pageSize=1&${query}`, undefined, { key: own.key })).body.total
  t.deepEqual(
    await Promise.all([
      total(''),
      total('startDate=2025-05-02'),
      total('startDate=2025-05-02&endDate=2025-05-03'),
      total('startDate=2025-05-03T00:00:00.001Z&endDate=2025-05-05T00:00:00.001Z'),
    ]),
    [15, 14, 5, 8],
  )
})
