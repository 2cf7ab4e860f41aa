import { fail, refuse } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { NumberRef } from '../../domain/number.ts'
import type { OfficialMedia } from '../../ports/official/media.ts'
import { onceMarked } from './ask.ts'
import type { OfficialPorts } from './ports.ts'

export interface ReadMediaInput {
  readonly number: NumberRef
  /** Upstream's id of the phone that the media came to. */
  readonly phoneId: string
  readonly mediaId: string
}

/**
 * Our choice: upstream's media ids are digits. These characters are passed on, and none that could lead elsewhere in a
 * path.
 */
const MEDIA_ID = /^[\w-]{1,255}$/

/**
 * Reads media that an OFFICIAL number received ([media.inbound.3]). Refusals: FEATURE_NOT_SUPPORTED, NOT_FOUND, and
 * those of upstream.
 */
export async function readMedia(
  ports: Pick<OfficialPorts, 'official' | 'officialOf' | 'marksStored'>,
  { number, phoneId, mediaId }: ReadMediaInput,
): Promise<Outcome<OfficialMedia>> {
  const credentials = await ports.official.credentials(number.tenantId, number.id)
  if (!credentials)
    return fail(refuse('FEATURE_NOT_SUPPORTED', 'The number has no access token of the official platform'))
  if (phoneId !== credentials.phoneId || !MEDIA_ID.test(mediaId))
    return fail(refuse('NOT_FOUND', 'No such media of this number'))
  return onceMarked(ports, await ports.officialOf(credentials).media.read(mediaId))
}
