import type { SessionProof } from '../../ports/stores/web-session-store.ts'
import { digestOf } from '../engine/rows.ts'
import type { Parameters } from '../engine/statement.ts'

const NOBODY =
  'null::text as user_id, null::integer as sessions_version, null::text as email, null::text as name, null::text as role'

/**
 * Tables of a statement, the last of them `proved`: the key of the tenant that a proof stands for, and the person,
 * where it is one. None where it proves nothing. What can be used once is used up by them. `now` is a placeholder.
 */
export function provedBy(proof: SessionProof, p: Parameters, now: string): string {
  if ('keyId' in proof)
    return `proved as (select tenant_id, id_hash, ${NOBODY} from api_keys where id_hash = ${p.add(digestOf(proof.keyId))} and scope = 'TENANT')`
  if ('loginToken' in proof) {
    return `redeemed as (delete from login_tokens where token_hash = ${p.add(digestOf(proof.loginToken))} and expires_at > ${now} returning tenant_id),
      proved as (select k.tenant_id, k.id_hash, ${NOBODY} from api_keys k join redeemed r on r.tenant_id = k.tenant_id where k.scope = 'TENANT')`
  }
  return `${'userId' in proof ? withPassword(proof, p, now) : withInvitation(proof, p, now)},
    proved as (select k.tenant_id, k.id_hash, u.id as user_id, u.sessions_version, u.email, u.name, u.role from u join api_keys k on k.tenant_id = u.tenant_id where k.scope = 'TENANT')`
}

/** Whoever was disabled, or got another password, since this one was found right is not let in. */
function withPassword(
  { userId, passwordHash }: Extract<SessionProof, { userId: unknown }>,
  p: Parameters,
  now: string,
): string {
  return `u as (update users set last_seen_at = ${now} where id = ${p.add(userId)} and password = ${p.add(passwordHash)} and status = 'ACTIVE' returning *)`
}

/**
 * The password takes the place of any before, and all sessions before are over: an invitation is also what replaces a
 * forgotten password.
 */
function withInvitation(
  { invitation, passwordHash, name }: Extract<SessionProof, { invitation: unknown }>,
  p: Parameters,
  now: string,
): string {
  return `accepted as (delete from invitations where token_hash = ${p.add(digestOf(invitation))} and expires_at > ${now} returning user_id),
    u as (update users set password = ${p.add(passwordHash)}, name = coalesce(${p.add(name)}, name), status = 'ACTIVE', sessions_version = sessions_version + 1, last_seen_at = ${now}
      from accepted a where id = a.user_id and status <> 'DISABLED' returning users.*)`
}
