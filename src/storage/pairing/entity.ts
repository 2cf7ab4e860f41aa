import { defineEntity, p } from '@mikro-orm/core'
import type { NumberId, TenantId } from '../../domain/ids.ts'

/** One link a number: a newer one replaces the older in place (contract 3). */
export const PairingLinkEntity = defineEntity({
  name: 'PairingLink',
  tableName: 'pairing_links',
  properties: {
    numberId: p.text().$type<NumberId>().primary(),
    tenantId: p.text().$type<TenantId>(),
    tokenHash: p.text().unique('pairing_links_token_hash'),
    branding: p.json<unknown>().nullable(),
    redirectUrl: p.text().nullable(),
    expiresAt: p.datetime(3),
    consumedAt: p.datetime(3).nullable(),
  },
})
