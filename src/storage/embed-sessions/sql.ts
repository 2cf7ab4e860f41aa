import { EMBED_KEPT_MS, EMBED_SECRET_GRACE_MS } from '../../domain/embed-session.ts'
import { keptStatement } from '../engine/database.ts'
import { PURGE_BATCH } from '../engine/purge.ts'
import { rowsOf } from '../engine/rows-of.ts'
import { EmbedSessionEntity } from './entity.ts'

/** What is told of a session. */
export const SESSIONS = rowsOf(EmbedSessionEntity).without('keyIdHash', 'revokedAt')

/** Ends a session before its time: nothing has to be written for it, so no rotation and no removal can miss one. */
const IS_BEREFT = `not exists (select 1 from api_keys k where k.id_hash = s.key_id_hash)
  or (cardinality(s.number_ids) > 0 and not exists (select 1 from channel_numbers n where n.id = any(s.number_ids)))`

/** The present is `$1` of every statement here. */
const OVER = `case when s.revoked_at is not null or ${IS_BEREFT} then 'REVOKED' when s.expires_at <= $1::timestamptz then 'EXPIRED' end`
const IS_LIVE = `s.revoked_at is null and s.expires_at > $1::timestamptz and not (${IS_BEREFT})`
const IS_KEPT = `coalesce(s.revoked_at, s.expires_at) > $1::timestamptz - interval '${EMBED_KEPT_MS} milliseconds'`

/** Of its numbers those that are left. */
const COLUMNS = `${SESSIONS.without('numberIds').list('s')},
  array(select n.id from channel_numbers n where n.id = any(s.number_ids) order by array_position(s.number_ids, n.id)) as number_ids`

/** Those of one number alone, where `$3` names one. */
const IS_WITHIN = 's.tenant_id = $2 and ($3::text is null or s.number_ids = array[$3::text])'

/** By the hash of the token and the id in it. */
export const PROVE = keptStatement(`select ${COLUMNS}, x.ends_at::text, ${OVER} as over
  from embed_secrets x join embed_sessions s on s.id = x.session_id where x.secret_hash = $2 and s.id = $3 and ${IS_KEPT}`)

/** Nothing where a number is not the tenant's. */
export const MINT = `with made as (
    insert into embed_sessions (id, tenant_id, key_id_hash, surface, number_ids, allowed_origins, branding, ttl_seconds, created_at, expires_at, max_expires_at)
    select $2, $3, coalesce($4, (select k.id_hash from api_keys k where k.tenant_id = $3 and k.scope = 'TENANT')), $5, $6::text[], $7::text[], $8, $9::integer, $1::timestamptz, $10::timestamptz, $11::timestamptz
    where (select count(*) from channel_numbers n where n.tenant_id = $3 and n.id = any($6::text[])) = cardinality($6::text[])
    returning id
  )
  insert into embed_secrets (secret_hash, session_id, ends_at) select $12, made.id, $10::timestamptz from made returning session_id`

/** The session is taken first, so that of refreshes at once none undoes what another did. */
export const REFRESH = `with s as (
    select s.id, least($1::timestamptz + s.ttl_seconds * interval '1 second', s.max_expires_at) as ends_at
    from embed_secrets x join embed_sessions s on s.id = x.session_id
    where x.secret_hash = $2 and s.id = $3 and x.ends_at > $1::timestamptz and ${IS_LIVE} for update of s
  ), aged as (
    update embed_secrets set ends_at = least(embed_secrets.ends_at, $1::timestamptz + interval '${EMBED_SECRET_GRACE_MS} milliseconds')
    from s where embed_secrets.secret_hash = $2
  ), fresh as (
    insert into embed_secrets (secret_hash, session_id, ends_at) select $4, s.id, s.ends_at from s
  )
  update embed_sessions set expires_at = greatest(embed_sessions.expires_at, s.ends_at), last_used_at = $1::timestamptz from s where embed_sessions.id = s.id
  returning s.ends_at::text`

export const LIST = `select ${COLUMNS} from embed_sessions s where ${IS_WITHIN} and ${IS_LIVE} order by s.created_at desc, s.id desc`
export const REVOKE = `update embed_sessions s set revoked_at = $1::timestamptz where ${IS_WITHIN} and s.id = $4 and ${IS_LIVE} returning s.id`
export const FIND_LIVE = `select ${COLUMNS} from embed_sessions s where s.id = $2 and ${IS_LIVE}`

/** our choice: more would not fit into the header that names their origins. */
const MOST_COVERING = 100
export const COVERING = `select * from (
    select distinct on (s.allowed_origins) ${COLUMNS} from embed_sessions s
    where s.tenant_id = $2 and s.surface = 'connect' and (cardinality(s.number_ids) = 0 or $3 = any(s.number_ids)) and ${IS_LIVE}
    order by s.allowed_origins, s.created_at desc, s.id desc
  ) newest order by newest.created_at desc, newest.id desc limit ${MOST_COVERING}`

export const STATES = `select s.id, s.expires_at::text, ${OVER} as over from embed_sessions s where s.id = any($2::text[])`
export const TOUCH = `update embed_sessions set last_used_at = $1::timestamptz
  where id = $2 and (last_used_at is null or last_used_at <= $1::timestamptz - interval '1 minute')`
export const PURGE = `delete from embed_sessions where id in (select s.id from embed_sessions s where not (${IS_KEPT}) limit ${PURGE_BATCH}) returning 1`
