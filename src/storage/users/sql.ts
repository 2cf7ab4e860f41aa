import { PURGE_BATCH } from '../engine/purge.ts'

const USER = 'id, email, name, role, status, last_seen_at, created_at'

export const CREATE = `with u as (
    insert into users (id, tenant_id, email, email_key, name, role, status, created_at) values ($1, $2, $3, $4, $5, $6, 'INVITED', $7::timestamptz) returning *
  ), i as (
    insert into invitations (user_id, token_hash, expires_at) select id, $8, $9::timestamptz from u
  ) select ${USER} from u`

export const LIST = `select ${USER} from users where tenant_id = $1 order by created_at, id`
export const FIND = `select ${USER} from users where tenant_id = $1 and id = $2`

/** Keeps nobody from storing rows that refer to the tenant. */
export const LOCK = 'select 1 from tenants where id = $1 for no key update'

/** Reads after the lock was had: what others wrote before is seen. */
export const STANDING = `select ${USER}, password is not null as has_password,
    role = 'OWNER' and status = 'ACTIVE' and not exists (
      select 1 from users o where o.tenant_id = $1 and o.id <> users.id and o.role = 'OWNER' and o.status = 'ACTIVE') as is_last_owner
  from users where tenant_id = $1 and id = $2 for update`

/** Whoever is disabled has no live session again when that ends. */
export const CHANGE = `update users set role = $3, name = $4, status = $5, sessions_version = sessions_version + case when $5 = 'DISABLED' then 1 else 0 end
  where tenant_id = $1 and id = $2 returning ${USER}`

export const INVITE = `insert into invitations (user_id, token_hash, expires_at) values ($1, $2, $3::timestamptz)
  on conflict (user_id) do update set token_hash = excluded.token_hash, expires_at = excluded.expires_at`
export const UNINVITE = 'delete from invitations where user_id = $1'

export const INVITED = `select u.email, u.name, t.name as tenant_name from invitations i join users u on u.id = i.user_id join tenants t on t.id = u.tenant_id
  where i.token_hash = $1 and i.expires_at > $2::timestamptz and u.status <> 'DISABLED'`

export const SIGNING_IN = "select id, status = 'ACTIVE' as is_active, password from users"

/** The one session goes on under the new version. */
export const REPLACE_PASSWORD = `with u as (
    update users set password = $3, sessions_version = sessions_version + 1 where id = $1 and password = $2 and status = 'ACTIVE' returning id, sessions_version
  ), s as (
    update web_sessions set sessions_version = u.sessions_version from u where web_sessions.id = $4 and user_id = u.id
  ), i as (
    delete from invitations where user_id in (select id from u)
  ) select 1 from u`

export const PURGE = `delete from invitations where user_id in (select user_id from invitations where expires_at <= $1::timestamptz limit ${PURGE_BATCH}) returning 1`
