import { FLOW_JSON } from './flow-service.ts'
import type { OfficialNumber } from './official-service.ts'
import type { Answer, Service } from './service.ts'
import { Possible, Storm } from './storm.ts'

export type State = 'NONE' | 'DRAFT' | 'PUBLISHED' | 'DEPRECATED'

/** What is known of a Flow from answers alone. */
export interface PromisedFlow {
  /** Our id; null while no answer has named it. */
  id: string | null
  readonly state: Possible<State>
  readonly name: Possible<string>
  readonly category: Possible<string>
  readonly document: Possible<string | null>
  /**
   * The source of a clone that may have to wait for the upstream: the clone takes the document that the source has by
   * then. Null when there is no source, or the clone was complete at once.
   */
  waitsOf: PromisedFlow | null
}

type Target = PromisedFlow & { readonly id: string; readonly officialFlowId: string }

/** The writes in turn; each is sent for any Flow that it fits. */
const TURNS = [
  'create',
  'document',
  'document',
  'publish',
  'clone',
  'patch',
  'publish',
  'deprecate',
  'document',
  'delete',
  'create',
  'patch',
] as const
const CATEGORIES = ['SURVEY', 'SIGN_UP', 'SHOPPING', 'CONTACT_US']
const BROKEN = 0.2

/** The index of a Flow, by its name. Names are compared whole, because one may be the beginning of another. */
export function flowAt(name: string): number {
  return Number(/^Form (\d+)/.exec(name)?.[1])
}

/**
 * One account in which Flows are written one after another through all faults; it records what the answers promised.
 */
export class FlowStorm extends Storm<OfficialNumber> {
  readonly promised: PromisedFlow[] = []
  #texts = 0

  constructor(service: Service, number: OfficialNumber, random: () => number) {
    super(service, number, random, '/v1/flows?pageSize=1')
  }

  protected async step(step: number): Promise<void> {
    const turn = TURNS[step % TURNS.length] ?? 'create'
    const target = await this.#target(turn)
    if (target === null || turn === 'create') await this.#create(null)
    else if (turn === 'clone') await this.#create(target)
    else if (turn === 'document') await this.#upload(target)
    else if (turn === 'patch') await this.#patch(target)
    else await this.#turn(turn, target)
  }

  /** Deletes clones that waited too long for a source that is gone; such a clone says so in its `syncError`. */
  async dropEndless(here: Awaited<ReturnType<typeof flowsHere>>): Promise<void> {
    for (const { id, name, externalId, syncError } of here) {
      const flow = this.promised[flowAt(name)]
      if (externalId !== null || syncError === null || !flow?.waitsOf?.state.values.has('NONE')) continue
      const { status } = await this.service.api('DELETE', `/v1/flows/${id}`, this.number.key)
      if (status === 200) flow.state.values.clear()
      flow.state.values.add('NONE')
    }
  }

  async #create(source: Target | null): Promise<void> {
    const name = `Form ${this.promised.length}`
    const category = this.#pick(CATEGORIES) ?? ''
    const flow: PromisedFlow = {
      id: null,
      state: new Possible<State>('NONE'),
      name: new Possible(name),
      category: new Possible(category),
      document: new Possible<string | null>(...(source?.document.values ?? [null])),
      waitsOf: source,
    }
    this.promised.push(flow)
    await this.#fail('flow.create', this.number.accountId)
    const answer = await this.ask(
      'POST',
      '/v1/flows',
      { name, categories: [category], ...(source ? { cloneFromFlowId: source.id } : {}) },
      source ? 'clone' : 'create',
    )
    flow.state.note(['DRAFT'], answer)
    if (answer?.status === 201) flow.id = answer.body.id
    if (answer?.body.officialFlowId) flow.waitsOf = null
  }

  async #upload(target: Target): Promise<void> {
    const text = `${FLOW_JSON.slice(0, -1)}, "routing_model": {}}\r\n${' '.repeat(++this.#texts)}`
    const document = this.random() < BROKEN ? text.replace('TextInput', 'TextInputs') : text
    await this.#fail('flow.asset', target.officialFlowId)
    const answer = await this.ask('POST', `/v1/flows/${target.id}/json`, { flowJson: document }, 'document')
    target.waitsOf = null
    for (const clone of this.promised) if (clone.waitsOf === target) clone.document.values.add(document)
    // A document that the upstream refuses still becomes the draft.
    target.document.note([document], answer, answer?.status === 200 || answer?.body.code === 'FLOW_JSON_INVALID')
  }

  async #patch(target: Target): Promise<void> {
    const [name, category] = [
      `Form ${this.promised.indexOf(target)} again ${++this.#texts}`,
      this.#pick(CATEGORIES) ?? '',
    ]
    await this.#fail('flow.update', target.officialFlowId)
    const answer = await this.ask('PATCH', `/v1/flows/${target.id}`, { name, categories: [category] }, 'patch')
    target.name.note([name], answer)
    target.category.note([category], answer)
  }

  async #turn(turn: 'publish' | 'deprecate' | 'delete', target: Target): Promise<void> {
    await this.#fail(`flow.${turn}`, target.officialFlowId)
    const path = `/v1/flows/${target.id}`
    const ask = (): Promise<Answer | null> =>
      turn === 'delete'
        ? this.ask('DELETE', path, undefined, turn)
        : this.ask('POST', `${path}/${turn}`, turn === 'publish' ? { confirm: true } : {}, turn)
    target.state.note([({ publish: 'PUBLISHED', deprecate: 'DEPRECATED', delete: 'NONE' } as const)[turn]], await ask())
  }

  /** A Flow that the write can be for; null when there is none. */
  async #target(turn: (typeof TURNS)[number]): Promise<Target | null> {
    if (turn === 'create') return null
    const fitting = turn === 'deprecate' ? 'PUBLISHED' : turn === 'clone' ? null : 'DRAFT'
    const {
      body: { flows },
    } = await this.service.api('GET', '/v1/flows?pageSize=100', this.number.key).catch(() => ({ body: { flows: [] } }))
    const found = flows.flatMap((row: any) => {
      const flow = this.promised[flowAt(row.name)]
      if (!flow || row.officialFlowId === null || (fitting !== null && !flow.state.values.has(fitting))) return []
      return [Object.assign(flow, { id: row.id, officialFlowId: row.officialFlowId })]
    })
    // Only a Flow with a valid document can be published.
    const best =
      turn === 'publish'
        ? found.filter((flow: Target) => [...flow.document.values].every((text) => text?.includes('"TextInput"')))
        : found
    return this.#pick<Target>(best.length > 0 ? best : found) ?? null
  }

  #pick<Of>(list: readonly Of[]): Of | undefined {
    return list[Math.floor(this.random() * list.length)]
  }

  async #fail(op: string, id: string): Promise<void> {
    await this.fail(op, id, {
      op: op === 'flow.create' ? 'flow.list' : 'flow.read',
      id: op === 'flow.create' ? this.number.accountId : id,
    })
  }
}

/** The facts of a Flow that both sides show. */
export interface ShownFlow {
  readonly externalId: string | null
  readonly name: string
  readonly state: State
  readonly categories: readonly string[]
  readonly jsonVersion: string
  readonly validationErrors: readonly object[]
}

export async function flowsHere(
  service: Service,
  { key }: OfficialNumber,
): Promise<(ShownFlow & { readonly id: string; readonly syncError: object | null })[]> {
  const { status, body, text } = await service.api('GET', '/v1/flows?pageSize=100', key)
  if (status !== 200) throw new Error(text)
  return body.flows.map(
    ({
      id,
      officialFlowId: externalId,
      name,
      officialStatus: state,
      categories,
      jsonVersion,
      validationErrors,
      syncError,
    }: any) => ({ id, externalId, name, state, categories, jsonVersion, validationErrors, syncError }),
  )
}

export async function flowsUpstream(
  service: Service,
  { accountId }: Pick<OfficialNumber, 'accountId'>,
): Promise<(ShownFlow & { readonly flowJson: string | null })[]> {
  const {
    body: { flows },
  } = await service.control('GET', `/official/flows?accountId=${accountId}`)
  return flows.map(
    ({ id: externalId, name, status: state, categories, jsonVersion, validationErrors, flowJson }: any) => ({
      externalId,
      name,
      state,
      categories,
      jsonVersion: jsonVersion ?? '',
      validationErrors,
      flowJson,
    }),
  )
}

/** Faults: what the upstream or the rows have that differs from what was promised. */
export function faultsOfFlows(
  { promised }: FlowStorm,
  here: Awaited<ReturnType<typeof flowsHere>>,
  upstream: Awaited<ReturnType<typeof flowsUpstream>>,
): string[] {
  const waiting = here
    .filter(({ externalId }) => externalId === null)
    .map(({ name, syncError }) => `${name} has not reached upstream: ${JSON.stringify(syncError)}`)
  return [
    ...waiting,
    ...promised.flatMap(({ state, name, category, document }, at) => {
      const ofIt = (list: readonly ShownFlow[]): readonly ShownFlow[] => list.filter((one) => flowAt(one.name) === at)
      const wrong = [
        ['here', ofIt(here)],
        ['upstream', ofIt(upstream)],
      ].flatMap(([where, shown]) => {
        const [one, ...more] = shown as readonly ShownFlow[]
        if (more.length > 0) return [`Form ${at} is ${more.length + 1} times ${where}`]
        if (!state.values.has(one?.state ?? 'NONE'))
          return [`Form ${at} ${where} is ${one?.state}, promised ${[...state.values].join(' or ')}`]
        if (one && !name.values.has(one.name))
          return [`Form ${at} ${where} is called ${one.name}, promised ${[...name.values].join(' or ')}`]
        return one && !(one.categories.length === 1 && category.values.has(one.categories[0] ?? ''))
          ? [`Form ${at} ${where} is of ${one.categories.join()}, promised ${[...category.values].join(' or ')}`]
          : []
      })
      const held = upstream.find((one) => flowAt(one.name) === at)
      return held && !document.values.has(held.flowJson)
        ? [
            ...wrong,
            `Form ${at} has another document than promised: ${held.flowJson?.length} of ${[...document.values].map((one) => one?.length)}`,
          ]
        : wrong
    }),
  ]
}

/** The differences between the rows and the upstream. */
export function differenceOf(here: readonly ShownFlow[], upstream: readonly ShownFlow[]): string[] {
  const text = ({ externalId, name, state, categories, jsonVersion, validationErrors }: ShownFlow): string =>
    JSON.stringify({ externalId, name, state, categories, jsonVersion, validationErrors })
  const [ours, theirs] = [here.map(text), upstream.map(text)]
  return [
    ...theirs.filter((one) => !ours.includes(one)).map((one) => `upstream alone: ${one}`),
    ...ours.filter((one) => !theirs.includes(one)).map((one) => `here alone: ${one}`),
  ]
}
