import pg from 'pg'

/** Stores one ended call of the only number of a fresh service, and resolves to its id. */
export async function insertCall(databaseUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const {
    rows: [number],
  } = await client.query('select id, tenant_id from channel_numbers limit 1')
  const callId = `call_${'0'.repeat(26)}`
  await client.query(
    `insert into calls (id, tenant_id, number_id, provider, direction, status, peer_number, from_number, external_call_id, started_at, created_at, updated_at)
     values ($1, $2, $3, 'UNOFFICIAL', 'OUTBOUND', 'COMPLETED', '5511990000001', '5511988887777', 'X1', now(), now(), now())`,
    [callId, number.tenant_id, number.id],
  )
  await client.end()
  return callId
}
