import { Migration } from '@mikro-orm/migrations'

/** Steps of its checklist that a tenant was seen to have done. */
export class Checklists extends Migration {
  override up(): void {
    this.addSql("alter table tenants add column steps_done text[] not null default '{}'")
  }

  override down(): void {
    this.addSql('alter table tenants drop column if exists steps_done')
  }
}
