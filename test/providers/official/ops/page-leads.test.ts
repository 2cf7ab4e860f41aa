import test from 'ava'
import type { ExecutionContext } from 'ava'
import { graphError } from '../scripted-graph.ts'
import type { Scripted } from '../scripted-graph.ts'
import { LONG, openedPage, LEAD_FIELDS, PROOF, valueOf, RANGE, FORM } from './page-rig.ts'

const LEAD = {
  id: LONG,
  created_time: '2015-02-28T08:49:14+0000',
  form_id: 88,
  ad_id: '120213456789012345678',
  ad_name: 'Ad',
  adset_name: 'Set',
  campaign_name: 'Campaign',
  field_data: [
    { name: 'full_name', values: ['  Ana \n 😀 {{x}} $& '] },
    { name: 'many', values: ['a', 'b', ''] },
    { name: 'none', values: [] },
  ],
  custom_disclaimer_responses: [{ checkbox_key: 'yes', is_checked: '1' }],
  is_organic: false,
  platform: 'ig',
}
const SHOWN_LEAD = {
  leadgenId: LONG,
  createdAt: new Date('2015-02-28T08:49:14Z'),
  formId: '88',
  adId: '120213456789012345678',
  adName: 'Ad',
  adsetName: 'Set',
  campaignName: 'Campaign',
  answers: [
    { key: 'full_name', values: ['  Ana \n 😀 {{x}} $& '] },
    { key: 'many', values: ['a', 'b', ''] },
    { key: 'none', values: [] },
  ],
  consents: [{ key: 'yes', isChecked: true }],
  isOrganic: false,
  platform: 'ig',
}

// [leads.fetching.2] [leads.linking.7]
test('a lead is asked for with every field, and answers are as they were typed', async (t) => {
  const { server, page } = await openedPage(t)
  server.on(
    `GET /${LONG}`,
    { json: LEAD },
    {
      text: JSON.stringify(LEAD).replace(`"${LONG}"`, LONG).replace('"120213456789012345678"', '120213456789012345678'),
    },
  )
  t.deepEqual(await page.lead(LONG), { kind: 'read', value: SHOWN_LEAD })
  t.deepEqual(await page.lead(LONG), { kind: 'read', value: SHOWN_LEAD }, 'ids as numbers keep every digit')
  t.deepEqual(server.asked[0]?.query, { fields: LEAD_FIELDS, appsecret_proof: PROOF })
})

async function leadWith(t: ExecutionContext, parts: object) {
  const { server, page } = await openedPage(t)
  server.on(`GET /${LONG}`, { json: { id: LONG, ...parts } })
  return valueOf(await page.lead(LONG))
}

test('a lead without anything else is one, and nothing about it is made up', async (t) => {
  t.deepEqual(await leadWith(t, {}), {
    leadgenId: LONG,
    createdAt: null,
    formId: null,
    adId: null,
    adName: null,
    adsetName: null,
    campaignName: null,
    answers: [],
    consents: null,
    isOrganic: null,
    platform: null,
  })
})

test('every spelling of a consent is a yes or a no, and any other is neither', async (t) => {
  const spelled = ['1', 1, true, '', '0', 0, false, 'true', 'yes', 'on', null, 2, ' 1', [], {}, undefined]
  const { consents } = await leadWith(t, {
    custom_disclaimer_responses: [
      ...spelled.map((isChecked, at) => ({ checkbox_key: `k${at}`, is_checked: isChecked })),
      { is_checked: '1' },
      null,
      'x',
    ],
  })
  t.deepEqual(
    consents?.map(({ isChecked }) => isChecked),
    [true, true, true, false, false, false, false, ...Array.from({ length: 9 }, () => null)],
  )
  for (const none of [undefined, null, '', {}, 'yes'])
    t.is((await leadWith(t, { custom_disclaimer_responses: none })).consents, null)
  t.deepEqual((await leadWith(t, { custom_disclaimer_responses: [] })).consents, [])
})

// [leads.object.4] [leads.object.5] [leads.stored.5]
test('an ad of 0 is none, a platform or an organic mark that upstream does not have is null', async (t) => {
  for (const ad of [0, '0', '', null, 'x']) t.is((await leadWith(t, { ad_id: ad })).adId, null)
  for (const platform of ['FB', 'wa', 1, '']) t.is((await leadWith(t, { platform })).platform, null)
  for (const organic of ['true', 1, 'yes', null]) t.is((await leadWith(t, { is_organic: organic })).isOrganic, null)
  t.like(await leadWith(t, { platform: 'fb', is_organic: true }), { platform: 'fb', isOrganic: true })
})

test('when a lead was submitted is read strictly', async (t) => {
  const read = async (text: unknown) => (await leadWith(t, { created_time: text })).createdAt?.toISOString() ?? null
  t.is(await read('2015-02-28T08:49:14+0000'), '2015-02-28T08:49:14.000Z')
  t.is(await read('2015-02-28T08:49:14-0330'), '2015-02-28T12:19:14.000Z')
  t.is(await read('2015-02-28T08:49:14+01:00'), '2015-02-28T07:49:14.000Z')
  t.is(await read('2016-02-29T23:59:59Z'), '2016-02-29T23:59:59.000Z')
  t.is(await read('2016-02-29T23:59:59.987+0000'), '2016-02-29T23:59:59.000Z')
  for (const written of [1_425_113_354, '1425113354', 1_425_113_354_000, '1425113354000000'])
    t.is(await read(written), '2015-02-28T08:49:14.000Z', String(written))
  for (const text of [
    '2015-02-29T08:49:14+0000',
    '2015-02-28T08:49:14',
    '2015-02-28',
    '2015-02-28T24:00:00+0000',
    '2015-13-01T00:00:00+0000',
    '2015-02-28T08:49:14+2400',
    ' 2015-02-28T08:49:14+0000',
    '2015-02-28T08:49:14.+0000',
    0,
    -1_425_113_354,
    1e300,
    '',
    null,
    'yesterday',
  ]) {
    t.is(await read(text), null, String(text))
  }
})

test('a malformed answer in a form does not lose the others', async (t) => {
  const { answers } = await leadWith(t, {
    field_data: [
      null,
      5,
      { values: ['x'] },
      { name: 'number', values: [5, true, null, { a: 1 }, 'text'] },
      { name: 'text', values: 'bare' },
      { name: 'none' },
      { name: 7, values: ['seven'] },
    ],
  })
  t.deepEqual(answers, [
    { key: 'number', values: ['5', 'true', 'text'] },
    { key: 'text', values: ['bare'] },
    { key: 'none', values: [] },
    { key: '7', values: ['seven'] },
  ])
})

test('100 answers of 10,000 characters each are read whole, emoji among them', async (t) => {
  const field_data = Array.from({ length: 100 }, (_, at) => ({ name: `q${at}`, values: ['😀'.repeat(5_000)] }))
  const { server, page } = await openedPage(t)
  const text = JSON.stringify({ id: LONG, field_data }).replaceAll('😀', String.raw`\ud83d\ude00`)
  t.true(text.length > 6_000_000)
  server.on(`GET /${LONG}`, { text })
  t.is(
    valueOf(await page.lead(LONG)).answers.reduce((sum, { values }) => sum + (values[0]?.length ?? 0), 0),
    1_000_000,
  )
})

test('an answer of another lead, or of none, is not taken for it', async (t) => {
  const { server, page } = await openedPage(t)
  for (const answer of [
    { json: { ...LEAD, id: `${LONG}0` } },
    { json: {} },
    { json: { id: '0' } },
    { text: '[]' },
    { text: '<html>' },
  ] satisfies Scripted[]) {
    server.on(`GET /${LONG}`, answer)
    t.is((await page.lead(LONG)).kind, 'failed')
  }
})

test('leads of a form are asked for between two times, both of which belong to it, and listed by cursors', async (t) => {
  const { server, page } = await openedPage(t)
  server.on(
    'GET /88/leads',
    {
      json: { data: [LEAD, { name: 'no id' }], paging: { cursors: { after: 'B' }, next: 'https://x?access_token=y' } },
    },
    { json: { data: [] } },
  )
  t.deepEqual(await page.leadsOf('88', RANGE, null), { kind: 'read', value: { leads: [SHOWN_LEAD], next: 'B' } })
  t.deepEqual(await page.leadsOf('88', RANGE, 'B'), { kind: 'read', value: { leads: [], next: null } })
  t.deepEqual(JSON.parse(server.asked[0]?.query['filtering'] ?? ''), [
    { field: 'time_created', operator: 'GREATER_THAN', value: Date.parse('2026-01-01T00:00:00Z') / 1000 },
    { field: 'time_created', operator: 'LESS_THAN', value: Date.parse('2026-02-01T00:00:01Z') / 1000 },
  ])
  t.deepEqual(
    server.asked.map(({ query }) => [query['fields'], query['limit'], query['after']]),
    [
      [LEAD_FIELDS, '100', undefined],
      [LEAD_FIELDS, '100', 'B'],
    ],
  )
  t.deepEqual(
    JSON.parse((await pageRange(t, new Date('2026-01-01T00:00:00Z'))) ?? '')[0].value,
    Date.parse('2026-01-01T00:00:00Z') / 1000 - 1,
  )
})

async function pageRange(t: ExecutionContext, since: Date): Promise<string | undefined> {
  const { server, page } = await openedPage(t)
  server.on('GET /88/leads', { json: { data: [] } })
  await page.leadsOf('88', { ...RANGE, since }, null)
  return server.asked[0]?.query['filtering']
}

test('a listing without a next cursor, or with the same cursor again, is not followed', async (t) => {
  const { server, page } = await openedPage(t)
  for (const json of [
    { data: {} },
    {},
    { data: [LEAD], paging: { next: 'https://x' } },
    { data: [LEAD], paging: { cursors: { after: 'B' }, next: 'https://x' } },
  ]) {
    server.on('GET /88/leads', { json })
    t.is((await page.leadsOf('88', RANGE, 'B')).kind, 'failed')
  }
  server.on('GET /88/leads', {
    json: { data: Array.from({ length: 100 }, () => LEAD), paging: { cursors: { after: 'C' } } },
  })
  t.is(
    valueOf(await page.leadsOf('88', RANGE, 'B')).next,
    'C',
    'a full page is followed though a proxy left the link out',
  )
})

test('a page too large to be read is asked for in fewer at a time', async (t) => {
  const { server, page } = await openedPage(t)
  const large = 'x'.repeat(1_500_000)
  server.on('GET /88/leads', ({ query }) => {
    const limit = Number(query['limit'])
    return {
      json: {
        data: Array.from({ length: Math.min(limit, 20) }, () => ({
          ...LEAD,
          field_data: [{ name: 'q', values: [large] }],
        })),
        paging: { cursors: { after: `at ${limit}` }, next: 'https://x' },
      },
    }
  })
  const { leads, next } = valueOf(await page.leadsOf('88', RANGE, null))
  t.deepEqual([leads.length, next], [10, 'at 10'])
  for (const answer of [
    { json: { data: [{ ...LEAD, field_data: [{ name: 'q', values: ['x'.repeat(17_000_000)] }] }] } },
    graphError(1, 500),
  ]) {
    server.on('GET /88/leads', answer)
    server.asked.length = 0
    t.is((await page.leadsOf('88', RANGE, null)).kind, 'failed')
    t.deepEqual(
      server.asked.map(({ query }) => query['limit']),
      ['100', '10', '1'],
    )
  }
  server.on('GET /77/leadgen_forms', graphError(1, 500, { message: 'Please reduce the amount of data' }), {
    json: { data: [FORM] },
  })
  t.is(valueOf(await page.forms(null)).forms.length, 1, 'too large for upstream itself')
})
