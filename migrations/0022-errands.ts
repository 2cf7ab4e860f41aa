import { Migration } from '@mikro-orm/migrations'

/** What owners of numbers are still to be told. */
export class Errands extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement)
  }

  override down(): void {
    this.addSql('drop table if exists number_errands')
  }
}

const STATEMENTS = [
  /**
   * `errand` is what to tell, as JSON. `due_at` is when it is tried next; while somebody tries it, `due_at` is when
   * that try's lease ends.
   */
  `create table number_errands (
    id bigint generated always as identity primary key,
    number_id text not null references channel_numbers (id) on delete cascade,
    errand text not null,
    created_at timestamptz not null,
    due_at timestamptz not null
  )`,
  'create index number_errands_due on number_errands (due_at)',
  'create index number_errands_number on number_errands (number_id)',
]
