import { Migration } from '@mikro-orm/migrations'

/**
 * Until when a Flow's name stays reserved: an earlier creation of it was sent, its answer was lost, and it may take
 * effect late.
 */
export class FlowNamesHeld extends Migration {
  override up(): void {
    this.addSql('alter table flows add column name_held_until timestamptz(3)')
  }

  override down(): void {
    this.addSql('alter table flows drop column name_held_until')
  }
}
