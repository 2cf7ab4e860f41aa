import { Migration } from '@mikro-orm/migrations'

/** Version of a row, so that of two changes of the same version the second reads again. */
export class Versions extends Migration {
  override up(): void {
    this.addSql('alter table tenant_branding add column version integer not null default 1')
  }

  override down(): void {
    this.addSql('alter table tenant_branding drop column if exists version')
  }
}
