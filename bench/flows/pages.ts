import pg from 'pg'
import type { NumberRef } from '../../src/domain/number.ts'
import { systemClock } from '../../src/process/clock.ts'
import { openFlowResponses } from '../../src/storage/flow-responses/store.ts'
import { openDatabase } from '../../src/storage/open-database.ts'
import { at, median, type Installation } from '../programs.ts'
import { loudLog } from '../webhooks/world.ts'
import { draftFlow, type FlowNumber } from './number.ts'

const PAGE_SIZE = 100
const PAGES = [1, 100]
/**
 * Answers of a second, small Flow, which the query plans did not expect: they were made while the number had one Flow.
 */
const FEW = 40
/** Days that the answers are spread over. */
const DAYS = 365

/** The bare rows of a page, by their index. */
const BARE = `select id, flow_id, conversation_id, contact, contact_name, message_id, external_message_id, flow_token, response, submitted_at
  from flow_responses where flow_id = $1 and number_id = $2 order by submitted_at desc, id desc limit ${PAGE_SIZE} offset $3`

/** Stores answers and their counts in the form in which they would have arrived. */
async function fillAnswers(client: pg.Client, { ref, flowId }: FlowNumber, count: number): Promise<void> {
  const response = JSON.stringify({
    fields: { day: '2026-01-12', hour: '10:30', notes: 'the bell is broken, please knock' },
  })
  await client.query(
    `insert into flow_responses (id, tenant_id, number_id, flow_id, conversation_id, contact, contact_name, message_id, external_message_id, context_id, flow_token, response, submitted_at)
    select 'fres_bench' || lpad(n::text, 16, '0'), $1, $2, $3, 'conv_' || n % 5000, (5511990000000 + n % 5000)::text, 'Ana', 'msg_bench' || n, 'wamid.bench' || n, 'wamid.flow' || n, 'ft_' || md5(n::text), $4,
      now() - ($5::bigint - n) * (interval '${DAYS} days' / $5::bigint)
    from generate_series(1::bigint, $5::bigint) n`,
    [ref.tenantId, ref.id, flowId, response, count],
  )
  await client.query(
    `insert into flow_response_counts (flow_id, number_id, day, responses)
    select flow_id, number_id, (submitted_at at time zone 'UTC')::date, count(*) from flow_responses where flow_id = $1 group by 1, 2, 3`,
    [flowId],
  )
  await client.query('vacuum (analyze) flow_responses')
  await client.query('vacuum (analyze) flow_response_counts')
}

/** Runs both in turns, `looks` times after as many for warm-up; resolves to the times in ms, sorted. */
async function inTurns(
  ours: () => Promise<number>,
  theirs: () => Promise<number>,
  looks: number,
): Promise<{ readonly ours: number[]; readonly theirs: number[] }> {
  const times: { ours: number[]; theirs: number[] } = { ours: [], theirs: [] }
  for (let i = -Math.ceil(looks / 10); i < looks; i++) {
    for (const [side, look] of [
      ['theirs', theirs],
      ['ours', ours],
    ] as const) {
      const startMs = performance.now()
      if ((await look()) !== PAGE_SIZE) throw new Error('the page is not full')
      if (i >= 0) times[side].push(performance.now() - startMs)
    }
  }
  return { ours: times.ours.toSorted((a, b) => a - b), theirs: times.theirs.toSorted((a, b) => a - b) }
}

/**
 * Compares pages of the answers of one Flow, as the store reads them with total and privacy, with one bare query of the
 * same rows.
 */
export async function comparePages(
  installation: Installation,
  number: FlowNumber,
  count: number,
  looks: number,
): Promise<void> {
  const { databaseUrl, dataDir } = installation
  const client = new pg.Client({ connectionString: databaseUrl ?? '' })
  const database = await openDatabase({ databaseUrl, dataDir, log: loudLog, clock: systemClock })
  const { flowResponses } = openFlowResponses({ database, clock: systemClock })
  const ref: NumberRef = number.ref
  try {
    await client.connect()
    await fillAnswers(client, number, count)
    for (const page of PAGES) {
      const { ours, theirs } = await inTurns(
        async () =>
          (await flowResponses.list(ref, number.flowId, { page, pageSize: PAGE_SIZE, startDate: null, endDate: null }))
            .items.length,
        async () =>
          (await client.query({ name: 'bare', text: BARE, values: [number.flowId, ref.id, (page - 1) * PAGE_SIZE] }))
            .rows.length,
        looks,
      )
      console.log(
        `page ${page} of ${count} answers: p50 ${at(ours, 0.5).toFixed(2)} ms, p99 ${at(ours, 0.99).toFixed(2)} ms; bare query p50 ${at(theirs, 0.5).toFixed(2)} ms, p99 ${at(theirs, 0.99).toFixed(2)} ms; `
          + `p50 ${(at(ours, 0.5) / at(theirs, 0.5)).toFixed(2)} x, p99 ${(at(ours, 0.99) / at(theirs, 0.99)).toFixed(2)} x (target at most 2)`,
      )
    }
    const few = await draftFlow(installation, number.official, 'A new one')
    await client.query(
      `insert into flow_responses (id, tenant_id, number_id, flow_id, conversation_id, contact, external_message_id, response, submitted_at)
      select 'fres_few' || n, tenant_id, number_id, $2, conversation_id, contact, 'wamid.few' || n, response, submitted_at
      from (select *, row_number() over () as n from flow_responses where flow_id = $1 limit ${FEW}) old`,
      [number.flowId, few],
    )
    const times: number[] = []
    for (let i = 0; i < looks; i++) {
      const startMs = performance.now()
      await flowResponses.list(ref, few, { page: 1, pageSize: PAGE_SIZE, startDate: null, endDate: null })
      times.push(performance.now() - startMs)
    }
    console.log(`page of ${FEW} answers of a new Flow beside them: p50 ${median(times).toFixed(2)} ms`)
  } finally {
    await client.end()
    await database.close()
  }
}
