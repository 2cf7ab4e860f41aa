import { defineEntity, p } from '@mikro-orm/core'
import type { TenantId } from '../../domain/ids.ts'
import { OF_TENANT } from '../engine/scope.ts'

/** The brand of a tenant: the fields that it set, as JSON. */
export const TenantBrandingEntity = defineEntity({
  name: 'TenantBranding',
  tableName: 'tenant_branding',
  filters: OF_TENANT,
  properties: {
    tenantId: p.text().$type<TenantId>().primary(),
    fields: p.text(),
    updatedAt: p.datetime(3),
    version: p.integer().version().default(1),
  },
})

/** A picture that was uploaded for a brand; the file itself is in the store of files. */
export const BrandLogoEntity = defineEntity({
  name: 'BrandLogo',
  tableName: 'brand_logos',
  indexes: [{ name: 'brand_logos_referenced', properties: ['referencedAt'] }],
  properties: {
    key: p.text().primary(),
    tenantId: p.text().$type<TenantId>(),
    mimeType: p.text(),
    fileName: p.text(),
    sizeBytes: p.integer(),
    createdAt: p.datetime(3),
    referencedAt: p.datetime(3),
  },
})
