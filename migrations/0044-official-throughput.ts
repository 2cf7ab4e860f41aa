import { Migration } from '@mikro-orm/migrations'

/** How many messages a second upstream takes of a number of the official platform. */
export class OfficialThroughput extends Migration {
  override up(): void {
    this.addSql('alter table channel_numbers add column per_second integer null')
  }

  override down(): void {
    this.addSql('alter table channel_numbers drop column if exists per_second')
  }
}
