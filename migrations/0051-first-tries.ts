import { Migration } from '@mikro-orm/migrations'

/** First tries that a node begins as it relays their events, without a job in the queue. */
export class FirstTries extends Migration {
  override up(): void {
    this.addSql('alter table delivery_batches add column begun text null')
  }

  /** What is under way is told again: a receiver knows it by its id. */
  override down(): void {
    this.addSql(`insert into outbox (event_id)
      select distinct e.id from delivery_batches b cross join json_array_elements(b.begun::json) d
        cross join json_array_elements_text(d -> 'eventIds') told join events e on e.id = told
      where b.begun is not null and not exists (select 1 from outbox o where o.event_id = e.id)`)
    this.addSql('delete from delivery_batches where begun is not null')
    this.addSql('alter table delivery_batches drop column begun')
  }
}
