import type { Clock } from '../../../src/ports/clock.ts'
import { DONE, type Acted } from '../http/acted.ts'
import { AddressSigner } from '../http/address-signer.ts'
import type { Fields } from '../http/fields.ts'
import { managed } from '../http/graph-error.ts'
import { orderedPage } from '../http/ordered-page.ts'
import type { OfficialAccount, Registry } from '../registry/registry.ts'
import type { Change } from '../webhooks/webhooks.ts'
import { readDocument, type FlowDocument } from './document/read-document.ts'
import { flowFields } from './flow-fields.ts'
import { readCreation, readUpdate } from './flow-request.ts'
import { FlowShelf } from './flow-shelf.ts'
import { newFlow, type FlowStatus, type PlatformFlow } from './flow.ts'
import { faultOfPublishing } from './publishing.ts'

/** our choice: an address of a document is valid for a day, ms. */
const ADDRESS_MS = 86_400_000
/** our choice; no public source names the subcode. */
const NAME_TAKEN = 4_016_019

export interface FlowBookParts {
  readonly clock: Clock
  readonly registry: Registry
  send(change: Change): void
}

/** Flows of accounts: made, given documents, published, deprecated and deleted by upstream's rules. */
export class FlowBook {
  readonly shelf = new FlowShelf()
  readonly #parts: FlowBookParts
  readonly #signer = new AddressSigner()

  constructor(parts: FlowBookParts) {
    this.#parts = parts
  }

  /** Body of `POST /{accountId}/flows`. */
  create({ id: accountId }: OfficialAccount, body: Fields): Acted {
    const {
      name,
      categories,
      endpointUri,
      clone_flow_id: sourceId,
      flow_json: json,
      publish: isToBePublished,
    } = readCreation(body)
    this.#assertFree(accountId, name)
    const source = sourceId === undefined ? null : this.shelf.find(sourceId)
    if (sourceId !== undefined && source?.accountId !== accountId)
      throw managed(
        100,
        'Flow with specified ID does not exist',
        'The Flow that is to be cloned is not in this account.',
      )
    const document = json === undefined ? (source?.document ?? null) : readDocument(Buffer.from(json))
    this.#assertEndpoint(document, endpointUri, 100)
    const flow = newFlow({ accountId, name, categories: [...new Set(categories)], endpointUri, document })
    this.shelf.add(flow)
    const changes = [flowStatusChange(flow, null)]
    if (isToBePublished && this.#faultOf(flow) === null) changes.push(this.#become(flow, 'PUBLISHED'))
    const told = json === undefined ? {} : { success: true, validation_errors: document?.errors ?? [] }
    return { body: { id: flow.id, ...told }, after: () => changes.forEach((change) => this.#parts.send(change)) }
  }

  /** Body of `POST /{flowId}`. */
  update(flow: PlatformFlow, body: Fields): Acted {
    const { name, categories, endpointUri, applicationId } = readUpdate(body)
    this.#assertDraft(flow)
    if (name !== undefined && name !== flow.name) this.#assertFree(flow.accountId, name)
    if (endpointUri) this.#assertEndpoint(flow.document, endpointUri, 139001)
    flow.name = name ?? flow.name
    flow.categories = categories ? [...new Set(categories)] : flow.categories
    flow.applicationId = applicationId ?? flow.applicationId
    if (endpointUri !== undefined) flow.endpointUri = endpointUri
    return DONE
  }

  /** Keeps the document as it is; faults in it are no failure of the upload. */
  upload(flow: PlatformFlow, bytes: Buffer): Acted {
    this.#assertDraft(flow)
    flow.document = readDocument(bytes)
    return { body: { success: true, validation_errors: flow.document.errors } }
  }

  publish(flow: PlatformFlow): Acted {
    const fault = this.#faultOf(flow)
    if (fault) throw managed(139002, fault.title, fault.text)
    return this.#turning(flow, 'PUBLISHED')
  }

  deprecate(flow: PlatformFlow): Acted {
    if (flow.status === 'DRAFT')
      throw managed(139003, "Can't deprecate unpublished flow", 'A Flow can be deprecated once it was published.')
    if (flow.status === 'DEPRECATED')
      throw managed(139003, 'Flow is already deprecated', 'The Flow is deprecated already.')
    return this.#turning(flow, 'DEPRECATED')
  }

  delete(flow: PlatformFlow): Acted {
    if (flow.status !== 'DRAFT')
      throw managed(
        139004,
        "Can't delete published Flow",
        'A Flow that was published cannot be deleted. Deprecate it instead.',
      )
    this.shelf.remove(flow)
    return DONE
  }

  /** A page of an account's Flows. `url` is without its query. */
  list({ id }: OfficialAccount, query: URLSearchParams, url: string): object {
    return orderedPage(this.shelf.of(id), query, url, (flow) => this.present(flow, query.get('fields')))
  }

  /** A Flow as read. */
  present(flow: PlatformFlow, fields: string | null): Fields {
    const account = this.#parts.registry.account(flow.accountId)
    return flowFields(flow, fields, { appId: account?.appId ?? '', nowMs: this.#parts.clock.now() })
  }

  /** Answer of `GET /{flowId}/assets`. `origin` is where the document can be downloaded. */
  assets({ id, document }: PlatformFlow, origin: string): object {
    if (!document) return { data: [] }
    const expiry = Math.floor((this.#parts.clock.now() + ADDRESS_MS) / 1_000).toString(16)
    const url = `${origin}/official/flow_documents/?id=${id}&oe=${expiry}&oh=${this.#signer.sign(`${id} ${expiry}`)}`
    return {
      data: [{ name: 'flow.json', asset_type: 'FLOW_JSON', download_url: url }],
      paging: { cursors: { before: 'MAZDZD', after: 'MAZDZD' } },
    }
  }

  /** The document at such an address; null when the address is wrong or expired, or the document is gone. */
  open(query: URLSearchParams): Buffer | null {
    const [id = '', expiry = '', signature = ''] = ['id', 'oe', 'oh'].map((name) => query.get(name) ?? '')
    if (!this.#signer.isSigned(`${id} ${expiry}`, signature) || parseInt(expiry, 16) * 1_000 <= this.#parts.clock.now())
      return null
    return this.shelf.find(id)?.document?.bytes ?? null
  }

  /** Changes the status of a Flow, past all rules. */
  turn(flow: PlatformFlow, { status, isSilent }: { readonly status: FlowStatus; readonly isSilent: boolean }): void {
    const change = this.#become(flow, status)
    if (!isSilent) this.#parts.send(change)
  }

  reset(): void {
    this.shelf.clear()
  }

  #turning(flow: PlatformFlow, status: FlowStatus): Acted {
    const change = this.#become(flow, status)
    return { ...DONE, after: () => this.#parts.send(change) }
  }

  #become(flow: PlatformFlow, status: FlowStatus): Change {
    const { status: before } = flow
    flow.status = status
    return flowStatusChange(flow, before)
  }

  #faultOf(flow: PlatformFlow) {
    const account = this.#parts.registry.account(flow.accountId)
    return faultOfPublishing(flow, account ? this.#parts.registry.numbersOf(account) : [])
  }

  #assertFree(accountId: string, name: string): void {
    if (this.shelf.named(accountId, name))
      throw managed(100, 'Flow name is not unique', 'A Flow of this account has this name already.', NAME_TAKEN)
  }

  #assertDraft({ status }: PlatformFlow): void {
    if (status !== 'DRAFT')
      throw managed(
        139001,
        "Flow can't be updated",
        'A Flow that was published can no longer be updated. Clone it instead.',
      )
  }

  /** Checks an endpoint; documents below version 3.0 name their endpoint themselves. */
  #assertEndpoint(document: FlowDocument | null, endpointUri: string | null, code: number): void {
    const version = Number(document?.version ?? NaN)
    if (endpointUri !== null && version < 3)
      throw managed(
        code,
        'Specify Endpoint Uri in Flow JSON',
        'Below version 3.0 a document names its endpoint itself, as data_channel_uri.',
      )
  }
}

/** A change of a Flow's status. `before` is null at its creation, when upstream leaves the old status out. */
function flowStatusChange({ id, name, accountId, status }: PlatformFlow, before: FlowStatus | null): Change {
  const message =
    before === null
      ? `Flow ${name} has been created in ${status} status`
      : `Flow ${name} changed status from ${before} to ${status}`
  const value = {
    event: 'FLOW_STATUS_CHANGE',
    message,
    flow_id: id,
    ...(before === null ? {} : { old_status: before }),
    new_status: status,
  }
  return { accountId, phoneId: null, field: 'flows', value }
}
