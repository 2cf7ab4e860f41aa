import type { PageCommands } from '../../../commands/pages/pages.ts'
import { RefusalError, refuse } from '../../../domain/errors.ts'
import { LOGO_BYTES, LOGO_TYPES } from '../../../domain/logo.ts'
import { unwrap } from '../../request/outcome.ts'
import { route } from '../../request/route.ts'
import type { Route } from '../../request/route.ts'
import * as example from './examples.ts'
import * as schema from './schema.ts'

const GROUP = 'Branding'

/** Headers of a logo: every page may show it, and it can run nothing ([branding.logo.8]). */
const HEADERS = {
  'cross-origin-resource-policy': 'cross-origin',
  'content-security-policy': "default-src 'none'; sandbox",
}

/** Logos: uploaded from the dashboard, shown on pages. */
export function logoRoutes(pages: PageCommands): Route[] {
  return [uploadLogo(pages), showLogo(pages)]
}

function uploadLogo(pages: PageCommands): Route {
  return route({
    method: 'post',
    path: '/api/branding/logo',
    name: 'uploadLogo',
    group: GROUP,
    access: { by: ['session'], of: 'caller' },
    permission: 'numbers:manage',
    isHidden: true,
    summary: 'Upload a logo',
    takesFile: { field: 'file', maxBytes: LOGO_BYTES },
    answer: {
      status: 201,
      description: 'The logo; its `url` is for `logoUrl`',
      schema: schema.uploadedLogo,
      example: example.UPLOADED,
    },
    refusals: ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'IMAGE_INVALID', 'BUSY'],
    async handle({ session, sentFile }) {
      if (!sentFile) throw new Error('asked for a file before one was taken')
      const { url, key, mimeType, fileName, sizeBytes } = unwrap(await pages.keepLogo(session.tenantId, sentFile))
      return { status: 201, body: { url, key, mimeType, fileName, sizeBytes } }
    },
  })
}

function showLogo(pages: PageCommands): Route {
  return route({
    method: 'get',
    path: '/branding/logos/{key}',
    name: 'showLogo',
    group: GROUP,
    access: { by: ['link'], of: 'link' },
    bucket: 'files',
    summary: 'Show a logo',
    description: 'The address stands in `logoUrl`. No key; a logo never changes.',
    params: schema.logoParams,
    answer: { status: 200, description: 'The picture', fileTypes: Object.keys(LOGO_TYPES) },
    refusals: ['NOT_FOUND', 'RANGE_NOT_SATISFIABLE'],
    async handle({ params }) {
      const logo = await pages.findLogo(params.key)
      if (!logo) throw new RefusalError(refuse('NOT_FOUND', 'No such logo, or it is no longer kept'))
      return {
        status: 200,
        body: null,
        file: { path: logo.path, fileName: logo.fileName, isImmutable: true },
        type: logo.mimeType,
        headers: HEADERS,
      }
    },
  })
}
