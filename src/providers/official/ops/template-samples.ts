import { refuse } from '../../../domain/errors.ts'
import type { OfficialCredentials } from '../../../ports/official/credentials.ts'
import type { SampleFile } from '../../../ports/official/templates.ts'
import type { UpstreamWrite } from '../../../ports/official/write.ts'
import type { Graph, GraphAnswer } from '../client/graph.ts'
import { textIn } from '../values/loose.ts'
import { harmlessOf, writeOf } from '../client/write-result.ts'

/** Beginning of an upload's id; upstream adds signatures after it, a query among them. */
const UPLOAD_ID = /^upload:[^/]+$/

/**
 * Uploads a sample in the name of the app and answers its handle: a session is opened, then the bytes go to its id,
 * unchanged. A handle comes only from an upload, never from an address.
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

/** Opens the session of an upload and answers its id. */
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

/** Blots the upload's id out of upstream's words: whoever has it may write to the upload. */
function withoutId(answer: GraphAnswer, id: string): GraphAnswer {
  if (answer.ok || answer.failure.kind !== 'error') return answer
  return { ok: false, failure: { ...answer.failure, message: answer.failure.message.replaceAll(id, '***') } }
}
