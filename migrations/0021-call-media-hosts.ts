import { Migration } from '@mikro-orm/migrations'

/** Which media host holds the leg of a call: its number's next owner finds it there. */
export class CallMediaHosts extends Migration {
  override up(): void {
    this.addSql('alter table calls add column media_host text')
  }

  override down(): void {
    this.addSql('alter table calls drop column media_host')
  }
}
