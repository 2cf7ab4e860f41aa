import type { PageCommands } from '../../../commands/pages/pages.ts'
import type { Branding } from '../../../domain/branding.ts'
import { themeWarnings } from '../../../domain/contrast.ts'
import { route } from '../../request/route.ts'
import type { Route } from '../../request/route.ts'
import { tokenParams } from '../link-token.ts'
import * as example from './examples.ts'
import { logoRoutes } from './logos.ts'
import * as schema from './schema.ts'

interface BrandingDeps {
  readonly pageCommands: PageCommands
  /** Public base URL of REST, which serves logos, without a trailing slash. */
  readonly baseUrl: string
}

const GROUP = 'Branding'

/**
 * The look of connect pages: the tenant's branding, and what it resolves to on the page of a link
 * (docs/contract/branding.md).
 */
export function brandingRoutes({ pageCommands: pages, baseUrl }: BrandingDeps): Route[] {
  return [readBranding(pages), changeBranding(pages, baseUrl), readBrandOfLink(pages), ...logoRoutes(pages)]
}

function readBranding(pages: PageCommands): Route {
  return route({
    method: 'get',
    path: '/v1/branding',
    name: 'getBranding',
    group: GROUP,
    access: { by: ['key', 'grant', 'session'], of: 'tenant' },
    permission: 'numbers:manage',
    summary: 'Read the brand of the tenant',
    description: 'What was never set is null.',
    answer: {
      status: 200,
      description: 'All fields',
      schema: schema.changedBranding.pick({ branding: true }),
      example: example.READ,
    },
    async handle({ caller }) {
      return { status: 200, body: { branding: await pages.read(caller.tenantId) } }
    },
  })
}

function changeBranding(pages: PageCommands, baseUrl: string): Route {
  return route({
    method: 'put',
    path: '/v1/branding',
    name: 'changeBranding',
    group: GROUP,
    access: { by: ['key', 'grant', 'session'], of: 'tenant' },
    permission: 'numbers:manage',
    isIdempotent: true,
    summary: 'Change the brand of the tenant',
    description:
      'Sets the fields that are named, null clearing one. Pages of links show it at once, where neither link nor embed session says otherwise. One wrong field refuses the whole body.',
    body: schema.tenantBranding(baseUrl),
    bodyExamples: example.CHANGE,
    answer: {
      status: 200,
      description: 'All fields, as they are now',
      schema: schema.changedBranding,
      example: example.CHANGED,
    },
    async handle({ caller, body }) {
      const changed = await pages.change(caller.tenantId, body as Partial<Branding>)
      return { status: 200, body: { branding: changed, warnings: themeWarnings(changed) } }
    },
  })
}

function readBrandOfLink(pages: PageCommands): Route {
  return route({
    method: 'get',
    path: '/v1/connect/{token}/branding',
    name: 'getConnectBranding',
    group: GROUP,
    access: { by: ['link', 'session'], of: 'link' },
    summary: 'Read how the page of a connect link looks',
    description:
      'Each field from the first that has it: the query, the embed session, the link, the tenant, the default. Always 200: an unknown token gives the defaults alone.',
    params: tokenParams,
    query: schema.cosmeticQuery,
    queryExample: 'title=Acme&primary=0a7f5a',
    answer: {
      status: 200,
      description: 'The look, and the colours to draw with',
      schema: schema.brandOfLink,
      example: example.OF_LINK,
    },
    async handle({ params, query }) {
      return { status: 200, body: await pages.brandOfLink(params.token, query) }
    },
  })
}
