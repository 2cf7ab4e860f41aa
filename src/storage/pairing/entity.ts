import { defineEntity, p } from '@mikro-orm/core'
import type { OwnBranding } from '../../domain/branding.ts'
import type { NumberId, TenantId } from '../../domain/ids.ts'
import type { LinkOver } from '../../domain/pairing.ts'

/**
 * A link of a number; at most one of a number is not over. A link that is over stays for a while, so that its page can
 * say why ([pairing.routes.5]).
 */
export const PairingLinkEntity = defineEntity({
  name: 'PairingLink',
  tableName: 'pairing_links',
  uniques: [
    { name: 'pairing_links_live', properties: ['numberId'], where: 'over_at is null' },
    { name: 'pairing_links_token_hash', properties: ['tokenHash'] },
  ],
  indexes: [
    {
      name: 'pairing_links_over',
      expression: 'create index pairing_links_over on pairing_links (coalesce(over_at, expires_at))',
    },
  ],
  properties: {
    tokenHash: p.text().primary(),
    numberId: p.text().$type<NumberId>(),
    tenantId: p.text().$type<TenantId>(),
    branding: p.json<OwnBranding>().nullable(),
    redirectUrl: p.text().nullable(),
    createdAt: p.datetime(3),
    expiresAt: p.datetime(3),
    /** Written by earlier versions; `overAt` and `overReason` replace it. */
    consumedAt: p.datetime(3).nullable(),
    overReason: p.text().$type<LinkOver>().nullable(),
    overAt: p.datetime(3).nullable(),
  },
})
