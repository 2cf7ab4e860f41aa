import { Migration } from '@mikro-orm/migrations'

/** Secrets of the installation that outlive ENCRYPTION_KEY: each is sealed with it, and sealed anew when it changes. */
export class TokenSecret extends Migration {
  override up(): void {
    this.addSql('create table installation_secrets (name text primary key, sealed text not null)')
  }

  override down(): void {
    this.addSql('drop table if exists installation_secrets')
  }
}
