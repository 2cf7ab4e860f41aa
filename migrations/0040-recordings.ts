import { Migration } from '@mikro-orm/migrations'

/** Recordings of calls: whether one was asked for, its file, and when it is looked for. */
export class Recordings extends Migration {
  override up(): void {
    this.addSql('alter table calls add column recording text null')
    this.addSql('alter table calls add column recording_file_id text null')
    this.addSql('alter table calls add column recording_due_at timestamptz(3) null')
    this.addSql('create index calls_recording_due on calls (recording_due_at) where recording_due_at is not null')
    this.addSql('create index calls_recorded on calls (recording_file_id) where recording_file_id is not null')
  }

  override down(): void {
    this.addSql('alter table calls drop column if exists recording')
    this.addSql('alter table calls drop column if exists recording_file_id')
    this.addSql('alter table calls drop column if exists recording_due_at')
  }
}
