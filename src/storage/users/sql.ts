import { PURGE_BATCH } from '../engine/purge.ts'

export const INVITED = `select u.email, u.name, t.name as tenant_name from invitations i join users u on u.id = i.user_id join tenants t on t.id = u.tenant_id
  where i.token_hash = $1 and i.expires_at > $2::timestamptz and u.status <> 'DISABLED'`

/** The one session goes on under the new version. */
export const REPLACE_PASSWORD = `with u as (
    update users set password = $3, sessions_version = sessions_version + 1 where id = $1 and password = $2 and status = 'ACTIVE' returning id, sessions_version
  ), s as (
    update web_sessions set sessions_version = u.sessions_version from u where web_sessions.id = $4 and user_id = u.id
  ), i as (
    delete from invitations where user_id in (select id from u)
  ) select 1 from u`

export const PURGE = `delete from invitations where user_id in (select user_id from invitations where expires_at <= $1::timestamptz limit ${PURGE_BATCH}) returning 1`
