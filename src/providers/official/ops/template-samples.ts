import { refuse } from '../../../domain/errors.ts'
import type { OfficialCredentials } from '../../../ports/official/credentials.ts'
import type { SampleFile } from '../../../ports/official/templates.ts'
import type { UpstreamWrite } from '../../../ports/official/write.ts'
import type { Graph, GraphAnswer } from '../client/graph.ts'
import { textIn } from '../values/loose.ts'
import { harmlessOf, writeOf } from '../client/write-result.ts'

/** How upstream names an upload under way; behind it stand signs of upstream's, a query among them. */
const UPLOAD_ID = /^upload:[^/]+$/

/**
 * Uploads a sample in the name of the app and answers its handle: a session is opened, then the bytes go to the id that
 * it has, with all that stands in it. A handle comes of an upload alone, never of an address.
 */
export async function uploadSample(
  graph: Graph,
  credentials: OfficialCredentials,
  file: SampleFile,
): Promise<UpstreamWrite<string>> {
  const { appId } = credentials
  if (appId === null)
    return {
      kind: 'unsent',
      refusal: refuse(
        'OFFICIAL_APP_ID_REQUIRED',
        'Give the number the id of its app: samples of media are uploaded in its name.',
      ),
    }
  const opened = await openUpload(graph, credentials, appId, file)
  if (opened.kind !== 'done') return opened
  const sent = await graph.ask(credentials, {
    op: 'sample.send',
    method: 'POST',
    path: opened.value,
    scheme: 'OAuth',
    file: { path: file.path, mimeType: file.mimeType },
    isRepeatable: false,
    lane: 'media',
  })
  return harmlessOf(
    writeOf(withoutId(sent, opened.value), (body) => {
      const handle = textIn(body, 'h')
      return handle === null ? null : { value: handle }
    }),
  )
}

/** Opens the session of an upload and answers the id that it has. */
async function openUpload(
  graph: Graph,
  credentials: OfficialCredentials,
  appId: string,
  { fileName, sizeBytes, mimeType }: SampleFile,
): Promise<UpstreamWrite<string>> {
  const answer = await graph.ask(credentials, {
    op: 'sample.open',
    method: 'POST',
    path: [appId, 'uploads'],
    isRepeatable: false,
    query: { file_name: fileName, file_length: String(sizeBytes), file_type: mimeType },
  })
  return harmlessOf(writeOf(answer, ({ id }) => (typeof id === 'string' && UPLOAD_ID.test(id) ? { value: id } : null)))
}

/** Whoever has the id may write to the upload, and upstream's words for a failure may hold it. */
function withoutId(answer: GraphAnswer, id: string): GraphAnswer {
  if (answer.ok || answer.failure.kind !== 'error') return answer
  return { ok: false, failure: { ...answer.failure, message: answer.failure.message.replaceAll(id, '***') } }
}
