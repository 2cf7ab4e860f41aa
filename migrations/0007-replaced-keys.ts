import { Migration } from '@mikro-orm/migrations'

/**
 * The hashes of a key that replaced itself are kept until the next rotation, for a client that never got the answer.
 */
export class ReplacedKeys extends Migration {
  override up(): void {
    this.addSql(
      'alter table api_keys add column replaced_key_hash text, add column replaced_id_hash text, add column replaced_with text, add column replaced_at timestamptz(3)',
    )
    this.addSql(
      'create index api_keys_replaced_key on api_keys (replaced_key_hash) where replaced_key_hash is not null',
    )
    this.addSql('create index api_keys_replaced_id on api_keys (replaced_id_hash) where replaced_id_hash is not null')
  }

  override down(): void {
    this.addSql(
      'alter table api_keys drop column replaced_key_hash, drop column replaced_id_hash, drop column replaced_with, drop column replaced_at',
    )
  }
}
