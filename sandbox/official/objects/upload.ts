import { UploadError } from '../http/upload-error.ts'
import type { Upload } from '../media/upload-shelf.ts'
import type { ObjectKind } from './object.ts'

/** A started upload: its progress, and its bytes. */
export const upload: ObjectKind<Upload> = {
  /** The id must come back with the signature that it had. */
  find({ registry, templates }, { id, query, accounts }) {
    const found = templates.uploads.find(id, query.get('sig') ?? '')
    return found && [...accounts].some((accountId) => registry.account(accountId)?.appId === found.appId) ? found : null
  },
  edges: {
    'GET ': ({ on }) => ({ body: { id: on.id, file_offset: on.offset } }),
    'POST ': ({ platform, on, raw }) => {
      if (raw?.scheme !== 'OAuth')
        throw new UploadError(401, 'NotAuthorizedError', 'The authorization has to be of scheme OAuth')
      return { body: { h: platform.templates.uploads.write(on, raw.offset, raw.bytes) } }
    },
  },
}
