import { Migration } from '@mikro-orm/migrations'

/** What engines say of themselves and of the numbers they hold. */
export class Engines extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement)
  }

  override down(): void {
    this.addSql('alter table channel_numbers drop column if exists engine, drop column if exists session_health')
  }
}

const STATEMENTS = [
  /**
   * `engine` is the `EngineFacts` of the engine that started the session last; `session_health` is the `SessionHealth`
   * that was told last.
   */
  'alter table channel_numbers add column engine jsonb, add column session_health jsonb',
]
