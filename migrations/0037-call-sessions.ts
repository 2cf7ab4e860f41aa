import { Migration } from '@mikro-orm/migrations'

/** Realtime sessions of calls: who connected, who was dialled, and how that ended. */
export class CallSessions extends Migration {
  override up(): void {
    this.addSql(`create table call_sessions (
      id text not null primary key,
      number_id text not null references channel_numbers (id) on delete cascade,
      call_id text not null,
      direction text not null,
      mode text not null,
      dialect text not null,
      status text not null,
      opened_at timestamptz(3) null,
      closed_at timestamptz(3) null,
      close_code integer null,
      error text null
    )`)
    this.addSql('create index call_sessions_of_call on call_sessions (call_id, id desc)')
    this.addSql('create index call_sessions_of_number on call_sessions (number_id)')
  }

  override down(): void {
    this.addSql('drop table if exists call_sessions')
  }
}
