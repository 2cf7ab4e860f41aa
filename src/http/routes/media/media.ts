import type { OfficialCommands } from '../../../commands/official/official.ts'
import { unwrap } from '../../request/outcome.ts'
import { route } from '../../request/route.ts'
import type { Route } from '../../request/route.ts'
import * as schema from './schema.ts'

const EXAMPLE = {
  base64: 'data:image/jpeg;base64,/9j/4AAQSkZJRg...',
  mimeType: 'image/jpeg',
  fileName: null,
  mediaId: '1037543291543636',
}

export interface MediaDeps {
  readonly officialCommands: Pick<OfficialCommands, 'readMedia'>
}

/** Media that OFFICIAL numbers received ([media.inbound.3]). */
export function mediaRoutes({ officialCommands }: MediaDeps): Route[] {
  const download = route({
    method: 'get',
    path: '/v1/media/{mediaId}',
    name: 'downloadMedia',
    group: 'Messages',
    access: { by: ['key', 'grant', 'session'], of: 'number' },
    permission: 'chat:read',
    capability: 'mediaDownload',
    summary: 'Download a media that was received',
    description:
      'OFFICIAL numbers only, within minutes of the message. UNOFFICIAL numbers get an address in `media.url`.',
    params: schema.mediaParams,
    query: schema.mediaQuery,
    queryExample: 'phoneNumberId=$PHONE_NUMBER_ID',
    answer: { status: 200, description: 'The media', schema: schema.media, example: EXAMPLE },
    refusals: ['NOT_FOUND', 'MEDIA_READ_FAILED', 'OFFICIAL_THROTTLED', 'OFFICIAL_CREDENTIALS_REJECTED'],
    async handle({ number, params, query }) {
      const media = unwrap(
        await officialCommands.readMedia({ number, phoneId: query.phoneNumberId, mediaId: params.mediaId }),
      )
      return { status: 200, body: presentMedia(params.mediaId, media) }
    },
  })
  return [download]
}

interface ReadMedia {
  readonly bytes: Uint8Array
  readonly mimeType: string
  readonly fileName: string | null
}

/** A downloaded file ([media.inbound.5]). A data URI has no spaces (RFC 2397). */
function presentMedia(mediaId: string, { bytes, mimeType, fileName }: ReadMedia) {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
  return { base64: `data:${mimeType.replaceAll(/\s/g, '')};base64,${text}`, mimeType, fileName, mediaId }
}
