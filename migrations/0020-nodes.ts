import { Migration } from '@mikro-orm/migrations'

/** Nodes that are alive, and numbers that were handed over. */
export class Nodes extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement)
  }

  override down(): void {
    this.addSql('drop index if exists number_leases_wanted')
    this.addSql('alter table number_leases drop column is_wanted')
    this.addSql('drop table if exists nodes')
  }
}

const STATEMENTS = [
  /**
   * A node is alive until `expires_at`, which is renewed with the leases. `boot` differs from start to start of the
   * process.
   */
  `create table nodes (
    node_id text primary key,
    boot text not null,
    is_leaving boolean not null default false,
    expires_at timestamptz not null
  )`,
  /**
   * True when the number was given back for another node to take at once. Neither is_wanted nor node_id changes as
   * leases are renewed, so that a renewal touches no index.
   */
  'alter table number_leases add column is_wanted boolean not null default false',
  'create index number_leases_wanted on number_leases (number_id) where is_wanted',
]
