import { Migration } from '@mikro-orm/migrations'

/** Bodies of deliveries are kept once, in their event: a log whose payload is null has the body of its event. */
export class BodiesOnce extends Migration {
  override up(): void {
    this.addSql('alter table webhook_logs alter column payload drop not null')
  }

  override down(): void {
    this.addSql("update webhook_logs set payload = '' where payload is null")
    this.addSql('alter table webhook_logs alter column payload set not null')
  }
}
