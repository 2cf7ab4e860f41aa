import { Migration } from '@mikro-orm/migrations'

/** Who carries the audio of calls of OFFICIAL numbers: so far the tenants' own ends. */
export class CallCarriers extends Migration {
  override up(): void {
    this.addSql('alter table calls add column media text null')
    this.addSql(`update calls set media = 'own' where provider = 'OFFICIAL' and sdp_answer is not null`)
  }

  override down(): void {
    this.addSql('alter table calls drop column if exists media')
  }
}
