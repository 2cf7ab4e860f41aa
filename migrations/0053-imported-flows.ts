import { Migration } from '@mikro-orm/migrations'

/**
 * Whether a Flow was shown by upstream before the service knew of it. Of older rows nobody knows, so they count as made
 * here: what is made here is never taken for what another creation made.
 */
export class ImportedFlows extends Migration {
  override up(): void {
    this.addSql('alter table flows add column is_imported boolean not null default false')
  }

  override down(): void {
    this.addSql('alter table flows drop column is_imported')
  }
}
