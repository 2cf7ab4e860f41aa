import type { Branding } from '../../domain/branding.ts'
import type { GivenQuery } from '../../domain/branding-fields.ts'
import type { TenantId } from '../../domain/ids.ts'
import type { SentLogo } from '../../ports/logo-files.ts'
import type { FoundLink } from '../../ports/stores/pairing-store.ts'
import { brandOf, brandOfLink } from './brand-of-link.ts'
import { findLogo, keepLogo, purgeLogos } from './logos.ts'
import type { PagePorts } from './ports.ts'

/** The commands of how pages look. */
export type PageCommands = ReturnType<typeof createPages>

/** Makes the commands of how pages look. */
export function createPages(ports: PagePorts) {
  const { branding } = ports
  return {
    read: (tenantId: TenantId) => branding.read(tenantId),
    change: (tenantId: TenantId, fields: Partial<Branding>) => branding.change(tenantId, fields),
    brandOf: (link: FoundLink | null, query: GivenQuery) => brandOf(ports, link, query),
    brandOfLink: (token: string, query: GivenQuery) => brandOfLink(ports, token, query),
    keepLogo: (tenantId: TenantId, sent: SentLogo) => keepLogo(ports, tenantId, sent),
    findLogo: (key: string) => findLogo(ports, key),
    /** A chore that answers whether there may be more. */
    purgeLogos: () => purgeLogos(ports),
  }
}
