import { Migration } from '@mikro-orm/migrations'

/** Which state of a row was read by whoever changes it, so that of two who meet the second reads again. */
export class Versions extends Migration {
  override up(): void {
    this.addSql('alter table tenant_branding add column version integer not null default 1')
  }

  override down(): void {
    this.addSql('alter table tenant_branding drop column if exists version')
  }
}
