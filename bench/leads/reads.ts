import { Agent, get } from 'node:http'
import pg from 'pg'
import { countLeadsCte } from '../../src/storage/leads/listing.ts'
import { connectOfficial, type OfficialBenchNumber } from '../posts.ts'
import { at, type Installation } from '../programs.ts'

const BATCH = 100_000
const DAYS = 365
const [PAGES, FORMS, ADS_OF_LEADS, ADS_OF_REFERRALS] = [5, 40, 500, 2_000]
const PAGE_SIZE = 30
const RARE = 40
const agent = new Agent({ keepAlive: true })

/** SQL for the time of row `n` of `count`, or of the row `back` rows before it; rows are spread over a year. */
function timeOf(count: number, back = 0): string {
  return `date_trunc('milliseconds', now() - (${count + back} - n) * (interval '${DAYS} days' / ${count}))`
}

/**
 * SQL for the form and ad of lead `n`. Every third lead came by one ad, and forty of those by a form without other
 * leads.
 */
function originOf(count: number): { readonly form: string; readonly ad: string } {
  const rarely = Math.floor(count / (3 * RARE)) * 3
  return {
    form: `case when n % ${rarely} = 0 then 'formRare' else 'form' || n % ${FORMS} end`,
    ad: `case when n % 3 = 0 then 'adGreat' else 'ad' || n % ${ADS_OF_LEADS} end`,
  }
}

/** Stores leads and their counts in the form in which they would have arrived. */
async function fillLeads(client: pg.Client, number: OfficialBenchNumber, count: number): Promise<void> {
  const fields = JSON.stringify([
    { key: 'full_name', label: 'Your name', values: ['Ana Maria da Silva'] },
    { key: 'phone_number', label: 'Your phone', values: ['+5511990000000'] },
  ])
  const { form, ad } = originOf(count)
  for (let from = 1; from <= count; from += BATCH) {
    await client.query(
      `with changed as (
        insert into leads (id, leadgen_id, tenant_id, number_id, page_id, page_name, form_id, form_name, ad_id, platform, is_organic, full_name, phone, fields, auto_send_status, source, is_redacted, created_at, received_at)
        select 'lead_bench' || lpad(n::text, 16, '0'), 'bench' || n, c.tenant_id, c.id, 'page' || n % ${PAGES}, 'Bench', ${form}, 'Bench', ${ad}, 'fb', false,
          'Ana Maria da Silva', '+5511990000000', $2, 'none', 'backfill', false, ${timeOf(count)}, now()
        from channel_numbers c, generate_series($3::bigint, $4::bigint) n where c.id = $1
        returning number_id, form_id, ad_id, page_id, created_at
      ), ${countLeadsCte('changed', 1)} select 1`,
      [number.id, fields, from, Math.min(count, from + BATCH - 1)],
    )
  }
  for (const table of ['leads', 'lead_counts']) await client.query(`vacuum (analyze) ${table}`)
}

/** Stores referrals; half of the conversations came back once by the same ad. */
async function fillReferrals(client: pg.Client, number: OfficialBenchNumber, count: number): Promise<void> {
  const conversations = Math.ceil((count * 0.75) / ADS_OF_REFERRALS) * ADS_OF_REFERRALS
  await client.query(
    `insert into referrals (message_id, tenant_id, number_id, conversation_id, type, source_id, source_type, source_url, headline, ctwa_clid, created_at, previous_at)
    select 'msg_bench' || lpad(n::text, 16, '0'), c.tenant_id, c.id, 'conv_bench' || n % ${conversations}, 'text', (120210000000000000 + n % ${ADS_OF_REFERRALS})::text, 'ad', 'https://fb.me/x' || n % ${ADS_OF_REFERRALS}, 'Buy now',
      'clid' || n, ${timeOf(count)}, case when n > ${conversations} then ${timeOf(count, conversations)} end
    from channel_numbers c, generate_series(1::bigint, $2::bigint) n where c.id = $1`,
    [number.id, count],
  )
  await client.query(
    `insert into ads (number_id, ad_id, ad_name, adset_id, adset_name, campaign_id, campaign_name, names_resolved_at, clicked_at)
    select $1, (120210000000000000 + n)::text, 'Ad ' || n, '7', 'Young', '8', 'All', now(), now() from generate_series(0, ${ADS_OF_REFERRALS - 1}) n`,
    [number.id],
  )
  for (const table of ['referrals', 'ads']) await client.query(`vacuum (analyze) ${table}`)
}

function read(url: string, key: string): Promise<any> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers: { 'x-api-key': key } }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () =>
        response.statusCode === 200
          ? resolve(JSON.parse(Buffer.concat(parts).toString()))
          : reject(new Error(`answered ${response.statusCode}: ${Buffer.concat(parts).toString()}`)),
      )
    }).on('error', reject)
  })
}

/** Runs `look` one after another, after a tenth as many for warm-up; resolves to the times in ms, sorted. */
async function timesOf(looks: number, look: () => Promise<void>): Promise<number[]> {
  const times: number[] = []
  for (let i = -Math.ceil(looks / 10); i < looks; i++) {
    const startMs = performance.now()
    await look()
    if (i >= 0) times.push(performance.now() - startMs)
  }
  return times.toSorted((a, b) => a - b)
}

/** A day in the form of the API, `back` days ago. */
function day(back: number): string {
  return new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10)
}

/**
 * Measures over the real gateway: pages of 30 of a million leads by each filter, with total, and the summary of a
 * million referrals of 2,000 ads.
 */
export async function measureReads(installation: Installation, count: number, looks: number): Promise<void> {
  const client = new pg.Client({ connectionString: installation.databaseUrl ?? '' })
  await client.connect()
  try {
    const number = await connectOfficial(installation, '5511977780002')
    await fillLeads(client, number, count)
    await fillReferrals(client, number, count)
    const base = `http://127.0.0.1:${installation.gateway.port}/v1`
    const filters = [
      '',
      'formId=form7',
      'adId=ad77',
      'pageId=page2',
      'formId=form7&pageId=page2',
      'adId=adGreat',
      'adId=adGreat&page=300',
      'adId=adGreat&pageId=page2',
      'formId=form6&adId=adGreat',
      'formId=formRare&adId=adGreat',
      `adId=adGreat&startDate=${day(200)}&endDate=${day(100)}`,
      `startDate=${day(200)}&endDate=${day(100)}`,
      `formId=form7&startDate=${day(200)}&endDate=${day(100)}`,
      'page=300',
    ]
    for (const filter of filters) {
      const times = await timesOf(looks, async () => {
        const { leads, total } = await read(`${base}/leads?pageSize=${PAGE_SIZE}&${filter}`, number.key)
        if (leads.length !== PAGE_SIZE || total < leads.length)
          throw new Error(`${leads.length} of ${total} leads by ${filter}`)
      })
      console.log(
        `a page of ${PAGE_SIZE} of ${count} leads, ${filter || 'no filter'}: p50 ${at(times, 0.5).toFixed(1)} ms, p99 ${at(times, 0.99).toFixed(1)} ms (target 50)`,
      )
    }
    for (const range of ['', `?startDate=${day(100)}`]) {
      const times = await timesOf(Math.ceil(looks / 20), async () => {
        const { ads } = await read(`${base}/referrals/summary${range}`, number.key)
        if (ads.length === 0) throw new Error('the summary is empty')
      })
      console.log(
        `summary of ${count} referrals of ${ADS_OF_REFERRALS} ads, ${range || 'all of them'}: p50 ${at(times, 0.5).toFixed(0)} ms, max ${at(times, 1).toFixed(0)} ms (target 500)`,
      )
    }
  } finally {
    agent.destroy()
    await client.end()
  }
}
