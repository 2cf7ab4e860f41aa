import { fail, succeed } from '../../domain/errors.ts'
import type { Outcome, Refusal } from '../../domain/errors.ts'
import type { TemplatesPort } from '../../ports/official/templates.ts'
import type { UpstreamWrite } from '../../ports/official/write.ts'
import type { Handles } from './row.ts'
import type { Samples } from './samples.ts'
import { submitRefusal } from './upstream.ts'

/**
 * Uploads the sample files of a template and answers their handles ([templates.files.7]); nothing of the template
 * itself has changed then.
 */
export async function uploadSamples(port: TemplatesPort, { header, cards }: Samples): Promise<Outcome<Handles>> {
  const files = [...(header ? [header] : []), ...cards.filter((card) => card !== null)]
  const uploads = await Promise.all(files.map((file) => port.uploadSample(file)))
  const refused = uploads.map(refusalOf).find((refusal) => refusal !== null)
  if (refused) return fail(refused)
  const handles = uploads.flatMap((upload) => (upload.kind === 'done' ? [upload.value] : []))
  return succeed(header ? { header: handles[0] ?? null, cards: [] } : { header: null, cards: handles })
}

function refusalOf(upload: UpstreamWrite<string>): Refusal | null {
  switch (upload.kind) {
    case 'done':
      return null
    case 'refused':
      return submitRefusal(upload.no, 'MEDIA_UPLOAD_FAILED')
    default:
      return upload.refusal
  }
}
