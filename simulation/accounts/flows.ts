import type { FlowEvent } from '../../src/commands/flows/told.ts'
import type { FlowStatus } from '../../src/domain/flow.ts'
import type { FlowsPort } from '../../src/ports/official/flows.ts'
import type { UpstreamWrite } from '../../src/ports/official/write.ts'
import { FlowPlatform } from '../../test/helpers/flow-platform.ts'
import type { Machine } from '../machine.ts'
import { Front, type FrontDeps } from './front.ts'

export type FlowTold = Omit<FlowEvent, 'tenantId' | 'accountId'>

/** The Flows of an account of the official platform: it tells when their status changes. */
export class UpstreamFlows {
  readonly front: Front<FlowTold>
  readonly #flows = new FlowPlatform()

  constructor(deps: FrontDeps) {
    this.front = new Front(deps)
  }

  get all() {
    return [...this.#flows.flows.values()]
  }

  /** What the machine of a gateway asks. */
  portOf(from: Machine): FlowsPort {
    const { front } = this
    const flows = this.#flows
    return {
      create: (submission) => front.write(from, `create ${submission.name}`, () => flows.create(submission)),
      update: (id, metadata) => front.write(from, `update ${id}`, () => flows.update(id, metadata)),
      upload: (id, json) => front.write(from, `upload ${id}`, () => flows.upload(id, json)),
      publish: (id) => front.write(from, `publish ${id}`, () => this.#told(id, 'PUBLISHED', flows.publish(id))),
      deprecate: (id) => front.write(from, `deprecate ${id}`, () => this.#told(id, 'DEPRECATED', flows.deprecate(id))),
      remove: (id) => front.write(from, `remove ${id}`, () => flows.remove(id)),
      read: (id) => front.read(from, () => flows.read(id)),
      page: (after) => front.read(from, () => flows.page(after)),
      document: (id) => front.read(from, () => flows.document(id)),
    }
  }

  async #told(externalId: string, status: FlowStatus, doing: Promise<UpstreamWrite<null>>) {
    const done = await doing
    if (done.kind === 'done') this.front.news({ news: { externalId, status }, at: this.front.now() })
    return done
  }
}
