import type { Clock } from '../../../src/ports/clock.ts'
import { FlowBook } from '../flows/flow-book.ts'
import { FlowSends } from '../flows/flow-sends.ts'
import type { Registry } from '../registry/registry.ts'
import { TemplateBook } from '../templates/template-book.ts'
import type { Change } from '../webhooks/webhooks.ts'

/** What accounts keep for sending: templates and Flows. */
export class Library {
  readonly templates: TemplateBook
  readonly flows: FlowBook
  readonly flowSends: FlowSends

  constructor(parts: { readonly clock: Clock; readonly registry: Registry; send(change: Change): void }) {
    this.flows = new FlowBook(parts)
    this.flowSends = new FlowSends(parts.clock, this.flows.shelf)
    this.templates = new TemplateBook({ ...parts, send: (change) => parts.send(change), flows: this.flowSends })
  }

  reset(): void {
    this.templates.reset()
    this.flows.reset()
  }
}
