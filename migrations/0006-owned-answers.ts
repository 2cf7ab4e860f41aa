import { Migration } from '@mikro-orm/migrations'

export const MOVE_ANSWERS = `update idempotent_requests r
  set key_id_hash = encode(sha256(convert_to(case k.scope when 'TENANT' then k.tenant_id else k.number_id end, 'UTF8')), 'hex'), sealed_for = r.key_id_hash
  from api_keys k where k.id_hash = r.key_id_hash and (k.scope = 'TENANT' or k.number_id is not null)`

/**
 * First answers belong to the number of a number key and to the tenant of a tenant key, not to the key. Those of the
 * last day move to their owner; they stay sealed for the key's id, which no statement can change. The columns keep
 * their names: key_id_hash now holds the owner's.
 */
export class OwnedAnswers extends Migration {
  override up(): void {
    this.addSql('alter table idempotent_requests add column sealed_for text')
    this.addSql(MOVE_ANSWERS)
  }

  override down(): void {
    this.addSql('delete from idempotent_requests')
    this.addSql('alter table idempotent_requests drop column sealed_for')
  }
}
