import { fail, succeed } from '../../../domain/errors.ts'
import type { Outcome } from '../../../domain/errors.ts'
import { listIn } from '../../../domain/json-fields.ts'
import type { Fields } from '../../../domain/json-fields.ts'
import type { OfficialCredentials } from '../../../ports/official/credentials.ts'
import type { FlowMetadata, FlowsPort, UpstreamFlow } from '../../../ports/official/flows.ts'
import type { UpstreamWrite } from '../../../ports/official/write.ts'
import type { Graph, GraphRequest } from '../client/graph.ts'
import { isNotShown, refusalOf, unreadable } from '../errors/error-map.ts'
import { FLOW_FIELDS, shownFlow } from '../flow/shown.ts'
import { idIn, objectsIn, textIn, wordIn } from '../values/loose.ts'
import { writeOf } from '../client/write-result.ts'
import { PAGE, readListing } from './listing.ts'

/** Upstream accepts documents of 10 MB; our choice: one that it holds may be larger by what it adds. */
const DOCUMENT_BYTES = 12 * 1024 * 1024
/** Our choice: the errors that upstream finds in such a document may be as long as a page of a listing. */
const ERRORS_BYTES = 16_000_000
const FILE_NAME = 'flow.json'
const ASSET_TYPE = 'FLOW_JSON'

/**
 * Flows, over `/{account id}/flows` and `/{flow id}`. Writes are never repeated here, because upstream's creation is
 * not idempotent.
 */
export function flowsOps(graph: Graph, credentials: OfficialCredentials): FlowsPort {
  const write = (op: string, request: Omit<GraphRequest, 'op' | 'isRepeatable'>) =>
    graph.ask(credentials, { op, ...request, isRepeatable: false })
  const act = async (op: string, path: readonly string[], method: 'POST' | 'DELETE' = 'POST') =>
    writeOf(await write(op, { method, path }), doneIn)
  return {
    async create({ name, categories, cloneOf }) {
      const body = { name, categories, ...(cloneOf === null ? {} : { clone_flow_id: cloneOf }) }
      return writeOf(
        await write('flow.create', { method: 'POST', path: [credentials.accountId, 'flows'], body }),
        (answer) => {
          const externalId = idIn(answer)
          return externalId === null ? null : { value: { externalId } }
        },
      )
    },
    async update(externalId, metadata) {
      return writeOf(await write('flow.update', { method: 'POST', path: [externalId], body: bodyOf(metadata) }), doneIn)
    },
    async upload(externalId, flowJson): Promise<UpstreamWrite<{ readonly validationErrors: readonly Fields[] }>> {
      const file = {
        name: 'file',
        bytes: Buffer.from(flowJson, 'utf8'),
        mimeType: 'application/json',
        fileName: FILE_NAME,
      }
      const form = [{ name: 'name', value: FILE_NAME }, { name: 'asset_type', value: ASSET_TYPE }, file]
      const answer = await write('flow.upload', {
        method: 'POST',
        path: [externalId, 'assets'],
        form,
        lane: 'media',
        answerBytes: ERRORS_BYTES,
      })
      return writeOf(answer, (body) =>
        doneIn(body) ? { value: { validationErrors: listIn(body, 'validation_errors') } } : null,
      )
    },
    publish: (externalId) => act('flow.publish', [externalId, 'publish']),
    deprecate: (externalId) => act('flow.deprecate', [externalId, 'deprecate']),
    remove: (externalId) => act('flow.remove', [externalId], 'DELETE'),
    read: (externalId) => readFlow(graph, credentials, externalId),
    async page(after) {
      const read = await readListing(graph, credentials, {
        op: 'flows.list',
        edge: 'flows',
        of: 'Flow',
        query: { fields: FLOW_FIELDS, limit: String(PAGE), ...(after === null ? {} : { after }) },
        shown: shownFlow,
      })
      return read.ok ? succeed({ flows: read.value.items, next: read.value.next, isWhole: read.value.isWhole }) : read
    },
    document: (externalId) => readDocument(graph, credentials, externalId),
  }
}

function bodyOf({ name, categories, endpointUri, applicationId }: FlowMetadata): Fields {
  return {
    ...(name === undefined ? {} : { name }),
    ...(categories === undefined ? {} : { categories }),
    ...(endpointUri === undefined ? {} : { endpoint_uri: endpointUri }),
    ...(applicationId === undefined ? {} : { application_id: applicationId }),
  }
}

function doneIn(body: Fields): { readonly value: null } | null {
  return body['success'] === true ? { value: null } : null
}

async function readFlow(
  graph: Graph,
  credentials: OfficialCredentials,
  externalId: string,
): Promise<Outcome<UpstreamFlow | null>> {
  const answer = await graph.ask(credentials, {
    op: 'flow.read',
    method: 'GET',
    path: [externalId],
    query: { fields: FLOW_FIELDS },
    isRepeatable: true,
    answerBytes: ERRORS_BYTES,
  })
  if (!answer.ok) return isNotShown(answer.failure) ? succeed(null) : fail(refusalOf(answer.failure))
  const flow = shownFlow(answer.body)
  return flow ? succeed(flow) : fail(unreadable('The answer holds no Flow.'))
}

/**
 * Reads a document in upstream's two steps: its address, then its bytes. The address is signed and on another host,
 * which gets no token.
 */
async function readDocument(
  graph: Graph,
  credentials: OfficialCredentials,
  externalId: string,
): Promise<Outcome<string | null>> {
  const answer = await graph.ask(credentials, {
    op: 'flow.assets',
    method: 'GET',
    path: [externalId, 'assets'],
    isRepeatable: true,
  })
  if (!answer.ok) return fail(refusalOf(answer.failure))
  if (!Array.isArray(answer.body['data'])) return fail(unreadable('The answer holds no list of assets.'))
  const asset = objectsIn(answer.body, 'data').find((one) => wordIn(one, 'asset_type') === ASSET_TYPE)
  if (!asset) return succeed(null)
  const url = textIn(asset, 'download_url')
  if (url === null) return fail(unreadable('The answer does not say where the document is.'))
  const file = await graph.download(credentials, url, DOCUMENT_BYTES, 'signed')
  // A decoder would drop a byte order mark.
  return file.ok ? succeed(Buffer.from(file.bytes).toString('utf8')) : fail(refusalOf(file.failure))
}
