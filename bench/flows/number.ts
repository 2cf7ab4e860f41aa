import pg from 'pg'
import type { FlowId } from '../../src/domain/ids.ts'
import type { NumberRef } from '../../src/domain/number.ts'
import { UPLOAD } from '../../src/http/routes/flows/examples.ts'
import { connectOfficial, type OfficialBenchNumber } from '../posts.ts'
import { postJson, type Installation } from '../programs.ts'

/** A connected number with a Flow. */
export interface FlowNumber {
  readonly official: OfficialBenchNumber
  readonly ref: NumberRef
  readonly flowId: FlowId
}

/** Drafts a Flow in the number's account. */
export async function draftFlow(
  { gateway }: Installation,
  { key }: OfficialBenchNumber,
  name: string,
): Promise<FlowId> {
  const { id } = await postJson(`http://127.0.0.1:${gateway.port}/v1/flows`, { name }, { 'x-api-key': key })
  return id
}

/**
 * Connects a number with a Flow. The Flow stays a draft unless it is to be published, because only a draft can get an
 * endpoint.
 */
export async function connectWithFlow(
  installation: Installation,
  digits: string,
  isPublished = true,
): Promise<FlowNumber> {
  const official = await connectOfficial(installation, digits)
  const ask = (path: string, body: object) =>
    postJson(`http://127.0.0.1:${installation.gateway.port}/v1/flows${path}`, body, { 'x-api-key': official.key })
  const flowId = await draftFlow(installation, official, 'Book a visit')
  await ask(`/${flowId}/json`, UPLOAD)
  if (isPublished) await ask(`/${flowId}/publish`, { confirm: true })
  const client = new pg.Client({ connectionString: installation.databaseUrl ?? '' })
  await client.connect()
  const {
    rows: [row],
  } = await client
    .query('select id, tenant_id as "tenantId" from channel_numbers where id = $1', [official.id])
    .finally(() => client.end())
  return { official, ref: row, flowId }
}
