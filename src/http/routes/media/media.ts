import { RefusalError, refuse } from '../../../domain/errors.ts'
import type { HttpDeps } from '../../deps.ts'
import { unwrapOfficial } from '../../official-parts.ts'
import { route } from '../../route.ts'
import type { Route } from '../../route.ts'
import { presentMedia } from './present.ts'
import * as schema from './schema.ts'

/** Our choice: upstream's media ids are digits; this much is passed on, and nothing that could lead elsewhere in a path. */
const MEDIA_ID = /^[\w-]{1,255}$/

/** Media that OFFICIAL numbers received (spec: Media download). */
export function mediaRoutes({ official }: Pick<HttpDeps, 'official'>): Route[] {
  const download = route({
    method: 'get', path: '/v1/media/{mediaId}', name: 'downloadMedia', group: 'Messages', access: 'number', provider: 'OFFICIAL',
    summary: 'Download a media that was received', description: 'OFFICIAL numbers only, within minutes of the message. UNOFFICIAL numbers get an address in `media.url`.',
    params: schema.mediaParams, query: schema.mediaQuery, queryExample: 'phoneNumberId=$PHONE_NUMBER_ID',
    answer: { status: 200, description: 'The media', schema: schema.media },
    refusals: ['NOT_FOUND', 'MEDIA_READ_FAILED', 'OFFICIAL_THROTTLED', 'OFFICIAL_CREDENTIALS_REJECTED'],
    async handle({ number, params, query }) {
      const credentials = await official.store.credentials(number.tenantId, number.id)
      if (!credentials) throw new RefusalError(refuse('FEATURE_NOT_SUPPORTED', 'The number has no access token of the official platform'))
      if (query.phoneNumberId !== credentials.phoneId || !MEDIA_ID.test(params.mediaId)) throw new RefusalError(refuse('NOT_FOUND', 'No such media of this number'))
      const media = await unwrapOfficial(official, await official.platform.readMedia(credentials, params.mediaId))
      return { status: 200, body: presentMedia(params.mediaId, media) }
    },
  })
  return [download]
}
