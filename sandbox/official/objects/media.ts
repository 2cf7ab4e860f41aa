import { DONE } from '../http/acted.ts'
import type { OfficialMedia } from '../media/media-shelf.ts'
import type { ObjectKind } from './object.ts'

/** A file: where it can be downloaded, and its deletion. */
export const media: ObjectKind<OfficialMedia> = {
  /** Null when `phone_number_id` is given and is not that of its owner. */
  find({ registry, messaging }, { id, query, accounts }) {
    const found = messaging.media.find(id)
    const owner = found && registry.number(found.phoneId)
    if (!owner || !accounts.has(owner.accountId)) return null
    const asked = query.get('phone_number_id')
    return asked === null || asked === owner.phoneId ? found : null
  },
  edges: {
    'GET ': ({ platform, on, url }) => {
      const { id, mimeType, sha256, sizeBytes } = on
      return {
        body: {
          messaging_product: 'whatsapp',
          url: platform.messaging.media.urlOf(on, new URL(url).origin),
          mime_type: mimeType,
          sha256,
          file_size: sizeBytes,
          id,
        },
      }
    },
    'DELETE ': ({ platform, on }) => {
      platform.messaging.media.delete(on)
      return DONE
    },
  },
}
