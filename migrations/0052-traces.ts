import { Migration } from '@mikro-orm/migrations'

/** Tables of what a trace goes along with. */
const TABLES = ['messages', 'events', 'inbound_changes']

/** The trace of what is recorded goes along with messages, events and changes of upstream. */
export class Traces extends Migration {
  override up(): void {
    for (const table of TABLES) this.addSql(`alter table ${table} add column trace text null`)
  }

  override down(): void {
    for (const table of TABLES) this.addSql(`alter table ${table} drop column trace`)
  }
}
