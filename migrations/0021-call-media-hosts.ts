import { Migration } from '@mikro-orm/migrations'

/** The media host that holds the leg of a call, where the next owner of its number finds it. */
export class CallMediaHosts extends Migration {
  override up(): void {
    this.addSql('alter table calls add column media_host text')
  }

  override down(): void {
    this.addSql('alter table calls drop column media_host')
  }
}
