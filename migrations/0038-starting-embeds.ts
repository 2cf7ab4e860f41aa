import { Migration } from '@mikro-orm/migrations'

/** Whether the users of an embed session may write first. */
export class StartingEmbeds extends Migration {
  override up(): void {
    this.addSql('alter table embed_sessions add column can_start boolean not null default false')
  }

  override down(): void {
    this.addSql('alter table embed_sessions drop column if exists can_start')
  }
}
