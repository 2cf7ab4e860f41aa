import { Migration } from '@mikro-orm/migrations'

/**
 * The process that works off a notice of a lead, so that what a killed one leaves behind can be told from what is tried
 * again later.
 */
export class NoticeTakers extends Migration {
  override up(): void {
    this.addSql('alter table lead_notices add column taken_by text')
    this.addSql('create index lead_notices_taken on lead_notices (taken_by) where taken_by is not null')
  }

  override down(): void {
    this.addSql('alter table lead_notices drop column if exists taken_by')
  }
}
