import type { Outcome } from '../../src/domain/errors.ts'
import type { Fields } from '../../src/domain/json-fields.ts'
import type { FlowMetadata, FlowsPort, FlowSubmission, UpstreamFlow } from '../../src/ports/official/flows.ts'
import type { UpstreamWrite } from '../../src/ports/official/write.ts'
import { ScriptedPort } from './scripted-platform.ts'

type Op = keyof FlowsPort

/** Ids above 2^53, which a JavaScript number cannot hold exactly. */
const FIRST_ID = 9_007_199_254_740_993n
const PAGE = 2

/** The platform's finding in a document without `screens`. */
export const NO_SCREENS: Fields = {
  error: 'MISSING_REQUIRED_PROPERTY',
  error_type: 'FLOW_JSON_ERROR',
  message: "'screens' is missing.",
  line_start: 1,
  line_end: 1,
  column_start: 1,
  column_end: 2,
  pointers: [{ line_start: 1, line_end: 1, column_start: 1, column_end: 2, path: '' }],
}

type Held = UpstreamFlow & { readonly document: string | null }

/** The platform's Flows of one account behind a number's port, with faults in the order in which they happen. */
export class FlowPlatform extends ScriptedPort<Op> implements FlowsPort {
  readonly flows = new Map<string, Held>()
  /** False when its pages contain an entry that cannot be read. */
  isWhole = true
  #lastId = FIRST_ID

  add(fields: Partial<Held> = {}): Held {
    const externalId = String(++this.#lastId)
    const held: Held = {
      externalId,
      name: `made elsewhere ${externalId}`,
      status: 'DRAFT',
      categories: ['OTHER'],
      jsonVersion: null,
      validationErrors: [],
      health: 'AVAILABLE',
      previewUrl: `https://preview.example/${externalId}`,
      document: null,
      ...fields,
    }
    this.flows.set(held.externalId, held)
    return held
  }

  change(externalId: string, fields: Partial<Held>): void {
    const held = this.flows.get(externalId)
    if (held) this.flows.set(externalId, { ...held, ...fields })
  }

  named(name: string): Held[] {
    return [...this.flows.values()].filter((one) => one.name === name)
  }

  create({ name, categories, cloneOf }: FlowSubmission): ReturnType<FlowsPort['create']> {
    return this.answerWrite<{ readonly externalId: string }>('create', () => {
      if (this.named(name).length > 0) return no(100, 'Flow name must be unique')
      const source = cloneOf === null ? undefined : this.flows.get(cloneOf)
      if (cloneOf !== null && !source) return no(100, 'Flow not found')
      const { externalId } = this.add({
        name,
        categories,
        jsonVersion: source?.jsonVersion ?? null,
        document: source?.document ?? null,
        validationErrors: source?.validationErrors ?? [],
      })
      return { kind: 'done', value: { externalId } }
    })
  }

  update(externalId: string, { name, categories }: FlowMetadata): Promise<UpstreamWrite<null>> {
    return this.#onDraft('update', externalId, 139_001, () => {
      if (name !== undefined && this.named(name).some((one) => one.externalId !== externalId))
        return no(100, 'Flow name must be unique')
      return this.#done(externalId, {
        ...(name === undefined ? {} : { name }),
        ...(categories === undefined ? {} : { categories }),
      })
    })
  }

  upload(externalId: string, flowJson: string): ReturnType<FlowsPort['upload']> {
    return this.#onDraft<{ readonly validationErrors: readonly Fields[] }>('upload', externalId, 139_001, () => {
      const validationErrors = flowJson.includes('"screens"') ? [] : [NO_SCREENS]
      this.change(externalId, { document: flowJson, jsonVersion: '7.1', validationErrors })
      return { kind: 'done', value: { validationErrors } }
    })
  }

  publish(externalId: string): Promise<UpstreamWrite<null>> {
    return this.#onDraft('publish', externalId, 139_002, ({ document, validationErrors }) =>
      document === null || validationErrors.length > 0
        ? no(139_002, 'Publishing without a valid document is not possible')
        : this.#done(externalId, { status: 'PUBLISHED' }),
    )
  }

  deprecate(externalId: string): Promise<UpstreamWrite<null>> {
    return this.answerWrite('deprecate', () => {
      const status = this.flows.get(externalId)?.status
      return status === undefined || status === 'DRAFT' || status === 'DEPRECATED'
        ? no(139_003, 'Not published, or deprecated already')
        : this.#done(externalId, { status: 'DEPRECATED' })
    })
  }

  remove(externalId: string): Promise<UpstreamWrite<null>> {
    return this.#onDraft('remove', externalId, 139_004, () => {
      this.flows.delete(externalId)
      return { kind: 'done', value: null }
    })
  }

  read(externalId: string): Promise<Outcome<UpstreamFlow | null>> {
    return this.answerRead('read', () => this.flows.get(externalId) ?? null)
  }

  page(after: string | null): ReturnType<FlowsPort['page']> {
    return this.answerRead('page', () => {
      const from = Number(after ?? 0)
      const all = [...this.flows.values()]
      return {
        flows: all.slice(from, from + PAGE),
        next: from + PAGE < all.length ? String(from + PAGE) : null,
        isWhole: this.isWhole,
      }
    })
  }

  document(externalId: string): Promise<Outcome<string | null>> {
    return this.answerRead('document', () => this.flows.get(externalId)?.document ?? null)
  }

  #onDraft<T = null>(
    op: Op,
    externalId: string,
    code: number,
    act: (held: Held) => UpstreamWrite<T>,
  ): Promise<UpstreamWrite<T>> {
    return this.answerWrite(op, () => {
      const held = this.flows.get(externalId)
      if (!held) return no(100, 'Flow not found')
      return held.status === 'DRAFT' ? act(held) : no(code, 'Flow is not a draft')
    })
  }

  #done(externalId: string, fields: Partial<Held>): UpstreamWrite<null> {
    this.change(externalId, fields)
    return { kind: 'done', value: null }
  }
}

function no(upstreamCode: number, upstreamMessage: string): UpstreamWrite<never> {
  return { kind: 'refused', no: { upstreamCode, upstreamSubcode: null, upstreamMessage } }
}
