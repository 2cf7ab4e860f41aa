import { Migration } from '@mikro-orm/migrations'

/** Calls of all numbers of a tenant, so that a page of them costs only its own rows, whatever it is narrowed to. */
export class CallsOfTenants extends Migration {
  override up(): void {
    this.addSql('create index calls_of_tenant on calls (tenant_id, status, direction, created_at desc, id desc)')
    this.addSql('create index calls_of_peer on calls (tenant_id, peer_number, created_at desc, id desc)')
  }

  override down(): void {
    this.addSql('drop index if exists calls_of_tenant')
    this.addSql('drop index if exists calls_of_peer')
  }
}
