import { CALL_DIRECTIONS, CALL_STATUSES, type Call } from '../../domain/call.ts'
import type { CallId, TenantId } from '../../domain/ids.ts'
import type { TenantCallPage } from '../../ports/stores/call-store.ts'
import type { SqlSession } from '../engine/database.ts'
import { Parameters } from '../engine/statement.ts'
import { toDate } from '../engine/rows.ts'
import { CALL_COLUMNS, toCall, type CallRow } from './row.ts'

const NEWEST_FIRST = 'order by created_at desc, id desc'

/** A call by its place in the list. */
interface Place {
  readonly id: CallId
  readonly createdAt: Date
}

/**
 * A page of the calls of a tenant, newest first; null when it has no call `before`. Calls of a number or with a peer
 * are read along the index of these. All others are the newest of each status and direction, which one index has in
 * their order, so that a page costs the same however few calls have what it is narrowed to.
 */
export async function listOfTenant(
  session: SqlSession,
  tenantId: TenantId,
  page: TenantCallPage,
): Promise<Call[] | null> {
  const last = page.before === null ? null : await placeOf(session, tenantId, page.before)
  if (page.before !== null && last === null) return null
  const p = new Parameters()
  const isNarrow = page.numberId !== null || page.peerNumber !== null
  const ids = isNarrow ? idsAlong(p, tenantId, page, last) : idsOfEach(p, tenantId, page, last)
  const rows = await session.query<CallRow>(
    `select ${CALL_COLUMNS} from calls
     where id in (select id from (${ids}) found ${NEWEST_FIRST} limit ${p.add(page.limit)}) ${NEWEST_FIRST}`,
    p.values,
  )
  return rows.map(toCall)
}

/** A call of the tenant by its service id; null when the tenant has none. */
export async function findOfTenant(session: SqlSession, tenantId: TenantId, id: CallId): Promise<Call | null> {
  const [row] = await session.query<CallRow>(`select ${CALL_COLUMNS} from calls where id = $1 and tenant_id = $2`, [
    id,
    tenantId,
  ])
  return row ? toCall(row) : null
}

async function placeOf(session: SqlSession, tenantId: TenantId, id: CallId): Promise<Place | null> {
  const [row] = await session.query<{ readonly created_at: string }>(
    'select created_at from calls where id = $1 and tenant_id = $2',
    [id, tenantId],
  )
  return row ? { id, createdAt: toDate(row.created_at) } : null
}

function isAfter(p: Parameters, last: Place | null): string[] {
  return last === null ? [] : [`(created_at, id) < (${p.time(last.createdAt)}, ${p.add(last.id)})`]
}

function idsAlong(p: Parameters, tenantId: TenantId, page: TenantCallPage, last: Place | null): string {
  const { numberId, peerNumber, status, direction } = page
  const wanted = { tenant_id: tenantId, number_id: numberId, peer_number: peerNumber, status, direction }
  const where = Object.entries(wanted).flatMap(([column, value]) =>
    value === null ? [] : [`${column} = ${p.add(value)}`],
  )
  return `select id, created_at from calls where ${[...where, ...isAfter(p, last)].join(' and ')}
    ${NEWEST_FIRST} limit ${p.add(page.limit)}`
}

function idsOfEach(p: Parameters, tenantId: TenantId, page: TenantCallPage, last: Place | null): string {
  const statuses = p.add(page.status === null ? CALL_STATUSES : [page.status])
  const directions = p.add(page.direction === null ? CALL_DIRECTIONS : [page.direction])
  const where = [
    `tenant_id = ${p.add(tenantId)}`,
    'status = one.status',
    'direction = way.direction',
    ...isAfter(p, last),
  ]
  return `select each.id, each.created_at from unnest(${statuses}::text[]) one (status)
    cross join unnest(${directions}::text[]) way (direction)
    cross join lateral (
      select id, created_at from calls where ${where.join(' and ')} ${NEWEST_FIRST} limit ${p.add(page.limit)}
    ) each`
}
