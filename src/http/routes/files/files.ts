import { z } from 'zod'
import { RefusalError, refuse } from '../../../domain/errors.ts'
import type { MessageFiles } from '../../../ports/message-media.ts'
import { route } from '../../request/route.ts'
import type { Route } from '../../request/route.ts'

export interface FileDeps {
  readonly files: MessageFiles
}

/** A file's id is random, so that it cannot be guessed. */
const FILE_ID = /^file_[0-9a-z]{26}$/

/**
 * Types of files of messages (docs/contract/media.md). A type that a browser would run is saved under its name, not
 * shown.
 */
const FILE_TYPES = ['image/*', 'audio/*', 'video/*', 'application/pdf', 'text/plain', 'application/octet-stream']

const fileParams = z.object({
  fileId: z.string().meta({ description: 'Id of a file', example: 'file_01kb0000000000000000000000' }),
  fileName: z.string().meta({ description: 'Any; for those who save it', example: 'photo.jpg' }),
})

const fileQuery = z.object({
  redirect: z.literal('off').optional().meta({ description: 'Whoever follows no redirect gets the file itself' }),
})

/**
 * The public address of files of messages, as `media.url` and `mediaLink` give it. It needs no key: whoever knows the
 * id may read the file until it expires.
 */
export function fileRoutes({ files }: FileDeps): Route[] {
  const download = route({
    method: 'get',
    path: '/media/{fileId}/{fileName}',
    name: 'downloadFile',
    group: 'Files',
    access: { by: ['link'], of: 'link' },
    bucket: 'files',
    summary: 'Download a file of a message',
    description:
      'The address stands in `media.url` and `mediaLink`, and expires. One range is honoured. It may redirect (302) to an address that lasts a minute.',
    params: fileParams,
    query: fileQuery,
    answer: { status: 200, description: 'The file, with its own type', fileTypes: FILE_TYPES },
    refusals: ['NOT_FOUND', 'RANGE_NOT_SATISFIABLE'],
    async handle({ params, query: { redirect } }) {
      const file = FILE_ID.test(params.fileId) ? await files.locate(params.fileId) : null
      if (!file) throw new RefusalError(refuse('NOT_FOUND', 'No such file, or it is no longer kept'))
      const { path, link, fileName, mimeType } = file
      const sent = redirect === 'off' ? { path, fileName } : { path, link, fileName }
      return { status: 200, body: null, file: sent, type: mimeType }
    },
  })
  return [download]
}
