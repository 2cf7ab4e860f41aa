import { Migration } from '@mikro-orm/migrations'

/** The bot server that inbound calls of a number are connected to. */
export class NumberVoice extends Migration {
  override up(): void {
    this.addSql('alter table channel_numbers add column voice jsonb null, add column sealed_voice_headers text null')
  }

  override down(): void {
    this.addSql('alter table channel_numbers drop column if exists voice, drop column if exists sealed_voice_headers')
  }
}
