import { Migration } from '@mikro-orm/migrations'

/**
 * The key that all upstream ids of a message hold becomes its `external_id`; the id as it came moves to
 * `external_form`. New columns are empty, so no row is written here: `KeyFill` (src/storage/message-keys/fill.ts) fills
 * stored rows while the service runs.
 */
export class MessageKeys extends Migration {
  override up(): void {
    this.addSql('alter table messages add column external_form text, add column quoted_key text')
    this.addSql('create table message_key_fill (begins_at timestamptz(3) primary key, position bigint)')
    // Gateways of the version before, which are replaced one by one, store ids as they come.
    this.addSql(
      `insert into message_key_fill (begins_at) select now() + interval '${REPLACED}' where exists (select 1 from messages)`,
    )
  }

  override down(): void {
    this.addSql('update messages set external_id = external_form where external_form is not null')
    this.addSql('alter table messages drop column external_form, drop column quoted_key')
    this.addSql('drop table if exists message_key_fill')
  }
}

/** Our choice: by then the gateways of the version before are gone. */
const REPLACED = '1 hour'
