import { resolveBranding } from '../../domain/branding.ts'
import type { OwnBranding, ResolvedBranding } from '../../domain/branding.ts'
import { isEmbeddedQuery, logosUrl, readBrandingQuery } from '../../domain/branding-fields.ts'
import type { GivenQuery } from '../../domain/branding-fields.ts'
import { themeOf, withReadableButton } from '../../domain/contrast.ts'
import type { Theme } from '../../domain/contrast.ts'
import type { EmbedSession } from '../../domain/embed-session.ts'
import type { PairingLink } from '../../ports/stores/pairing-store.ts'
import type { BrandPorts, PagePorts } from './ports.ts'

/** How a page looks. */
export interface Brand {
  readonly branding: ResolvedBranding
  readonly theme: Theme
}

/**
 * How the page of a link looks, alike for routes and pages ([branding.precedence.1], [branding.precedence.10]).
 * `embed=1` in the query adds the look of the newest live connect session that covers the link's number
 * ([branding.query.5]). An empty query gives what link and tenant say.
 *
 * @param link over or not; null for an unknown token, which gets the defaults alone and whose query is ignored
 */
export async function brandOf(
  ports: BrandPorts,
  link: Pick<PairingLink, 'tenantId' | 'numberId' | 'branding'> | null,
  query: GivenQuery,
): Promise<Brand> {
  if (link === null) return drawn(resolveBranding({ query: null, override: null, link: null, tenant: null }))
  const [tenant, override] = await Promise.all([
    ports.branding.read(link.tenantId),
    isEmbeddedQuery(query) ? overrideOf(ports, link) : null,
  ])
  return drawn(
    resolveBranding({
      query: readBrandingQuery(query, logosUrl(ports.baseUrl)),
      override,
      link: link.branding,
      tenant,
    }),
  )
}

/** How the page of a link looks, by the link's token, which may be any text. */
export async function brandOfLink(ports: PagePorts, token: string, query: GivenQuery): Promise<Brand> {
  const link = /^rp_[0-9a-z]{26}$/.test(token) ? await ports.pairing.find(token) : null
  return brandOf(ports, link, query)
}

/** How an embed looks that shows no link: by its session, else by its tenant. */
export async function brandOfSession(
  { branding }: Pick<PagePorts, 'branding'>,
  session: Pick<EmbedSession, 'tenantId' | 'branding'>,
): Promise<Brand> {
  return drawn(
    resolveBranding({
      query: null,
      override: session.branding,
      link: null,
      tenant: await branding.read(session.tenantId),
    }),
  )
}

async function overrideOf(
  { embedSessions }: BrandPorts,
  { tenantId, numberId }: Pick<PairingLink, 'tenantId' | 'numberId'>,
): Promise<OwnBranding | null> {
  const [newest] = await embedSessions.covering(tenantId, numberId)
  return newest?.branding ?? null
}

function drawn(branding: ResolvedBranding): Brand {
  const theme = themeOf(branding)
  return { branding: withReadableButton(branding, theme), theme }
}
