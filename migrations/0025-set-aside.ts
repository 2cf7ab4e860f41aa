import { Migration } from '@mikro-orm/migrations'

/** Items of durable lines that fail for a reason of their own, set aside for what follows them. */
export class SetAside extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement)
  }

  override down(): void {
    this.addSql('alter table account_changes drop column if exists tries')
    this.addSql('alter table number_errands drop column if exists tries')
    this.addSql('drop table if exists set_aside')
  }
}

const STATEMENTS = [
  /**
   * `item` names it within its line. `sealed` is all that the line held of it, encrypted; null when a row elsewhere
   * still has it. `number_id` is no foreign key, because what is told of a removed number outlives it.
   */
  `create table set_aside (
    id bigint generated always as identity primary key,
    line text not null,
    item text not null,
    tenant_id text,
    number_id text,
    account_id text,
    sealed text,
    reason text not null,
    tries integer not null,
    created_at timestamptz(3) not null,
    constraint set_aside_item unique (line, item)
  )`,
  'create index set_aside_number on set_aside (number_id) where number_id is not null',
  'alter table account_changes add column tries integer not null default 0',
  'alter table number_errands add column tries integer not null default 0',
]
