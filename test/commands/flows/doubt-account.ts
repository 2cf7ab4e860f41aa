import type { FlowEvent } from '../../../src/commands/flows/told.ts'
import { succeed } from '../../../src/domain/errors.ts'
import type { FlowStatus } from '../../../src/domain/flow.ts'
import type { FlowsPort } from '../../../src/ports/official/flows.ts'
import type { UpstreamWrite } from '../../../src/ports/official/write.ts'
import type { FlowAsk, StoredFlow } from '../../../src/ports/stores/flow-store.ts'
import { ACCOUNT_ID } from '../../../simulation/accounts/stores.ts'
import { FlowPlatform } from '../../helpers/flow-platform.ts'
import type { AccountStage, Deed } from '../official/account-stage.ts'
import type { Gateway } from '../official/mortal-gateway.ts'

/** A Flow that there is or was upstream. */
interface Life {
  /** Our id of the row that asked for it; null when it cannot be known from its name whose it is. */
  madeFor: string | null
  /** It was made when nobody waited for it any more. */
  readonly isLate: boolean
  /** Its names and documents, the last ones last, each with the time from which on it was so. */
  readonly said: { readonly text: string; readonly sinceMs: number }[]
}

/** What a deed asked of upstream, and what came of it. A creation is the row's. */
export interface Asking {
  readonly deed: Deed
  readonly kind: FlowAsk['kind']
  readonly externalId: string
  /** When it was done; null when it was not. */
  doneMs: number | null
  /** It was done when nobody waited for it any more. */
  isLate: boolean
}

/** What a webhook tells, with what upstream alone knows of it. */
export interface Told {
  readonly event: FlowEvent
  /** Whether these are the newest news of the Flow, and no others have their second. */
  isLast(): boolean
}

/** An account of Flows upstream: what it is asked waits until it is said what to do, and it keeps what it did. */
export class FlowAccount {
  readonly platform = new FlowPlatform()
  /** Every Flow that there ever was, by upstream's id. */
  readonly lives = new Map<string, Life>()
  readonly askings: Asking[] = []
  /** The row that a deed of creation made. */
  readonly rowOf = new Map<Deed, string>()
  /** Rows that nothing may be made for any more. */
  readonly closed = new Set<string>()
  readonly #stage: AccountStage
  readonly #takeIn: (gateway: Gateway, told: Told) => Promise<void>
  /** Rows that something was made for. */
  readonly #served = new Set<string>()
  /** Names that were given up by hand, or late, since the service last did. */
  readonly #freedLoosely = new Set<string>()
  /** The last news of each Flow, with their place among all. */
  readonly #last = new Map<string, { readonly order: number; readonly at: Date }>()
  /**
   * Rows whose Flow somebody changed by hand, and rows that took a Flow made by hand for theirs: it had their name, and
   * was unknown. What they asked for may still come.
   */
  readonly #handled = new Set<string>()

  constructor(stage: AccountStage, takeIn: (gateway: Gateway, told: Told) => Promise<void>) {
    this.#stage = stage
    this.#takeIn = takeIn
  }

  get all() {
    return [...this.platform.flows.values()]
  }

  get #rows(): StoredFlow[] {
    return this.#stage.stored.flows()
  }

  /** Upstream's Flows that were made for a row; `isInTime`: while somebody waited for that. */
  madeFor(id: string, isInTime = false): string[] {
    return [...this.platform.flows.keys()].filter((externalId) => {
      const { madeFor, isLate } = this.lives.get(externalId) ?? {}
      return madeFor === id && !(isInTime && isLate)
    })
  }

  /** Looks at the rows, after each step. */
  see(): void {
    for (const { id, officialFlowId, isImported } of this.#rows)
      if (!isImported && officialFlowId !== null && this.lives.get(officialFlowId)?.madeFor === null)
        this.#handled.add(id)
  }

  /** What a gateway asks, for a client's deed or of its own. */
  portOf(from: Gateway, deed: Deed | null): FlowsPort {
    const { platform } = this
    const { requests } = this.#stage
    return {
      create: (submission) => {
        const id = this.#waiting(submission.name)
        if (deed) this.rowOf.set(deed, id)
        return requests.write(from, `create ${submission.name}`, () => this.#create(id, submission))
      },
      update: (id, metadata) => this.#write(from, deed, 'UPDATE', id, () => platform.update(id, metadata)),
      upload: (id, json) => this.#write(from, deed, 'DOCUMENT', id, () => platform.upload(id, json)),
      publish: (id) => this.#write(from, deed, 'PUBLISH', id, () => platform.publish(id)),
      deprecate: (id) => this.#write(from, deed, 'DEPRECATE', id, () => platform.deprecate(id)),
      remove: (id) => this.#write(from, deed, 'DELETE', id, () => platform.remove(id)),
      read: (id) => requests.read(from, `read ${id}`, () => platform.read(id)),
      page: (after) => requests.read(from, `page ${after}`, () => this.#page(after)),
      document: (id) => requests.read(from, `document ${id}`, () => platform.document(id)),
    }
  }

  /** The row that waits for a Flow of this name: a crash now must leave the doubt in it. */
  #waiting(name: string): string {
    const row = this.#rows.find((one) => one.name === name && one.officialFlowId === null && one.ask?.kind === 'CREATE')
    if (!row) this.#stage.breaks(`a Flow ${name} is asked for, and no row says so`)
    return row?.id ?? 'none'
  }

  /** Pages of one Flow each, after an id: what goes meanwhile moves no others. */
  async #page(after: string | null): ReturnType<FlowsPort['page']> {
    const left = this.all.filter(({ externalId }) => after === null || externalId > after)
    const next = left.length > 1 ? (left[0]?.externalId ?? null) : null
    return succeed({ flows: left.slice(0, 1), next, isWhole: true })
  }

  #write<T>(
    from: Gateway,
    deed: Deed | null,
    kind: FlowAsk['kind'],
    externalId: string,
    run: () => Promise<UpstreamWrite<T>>,
  ): Promise<UpstreamWrite<T>> {
    const what = `${kind} of ${externalId}`
    if (!deed) throw new Error(`${what} is nobody's deed`)
    // A crash now must leave the doubt in the row.
    if (!this.#rows.some((row) => row.officialFlowId === externalId && row.ask?.kind === kind))
      this.#stage.breaks(`${what} is asked, and no row says so`)
    const asking: Asking = { deed, kind, externalId, doneMs: null, isLate: false }
    this.askings.push(asking)
    return this.#stage.requests.write(from, what, async () => {
      asking.isLate = this.#stage.requests.isDoingLate
      const before = this.platform.flows.get(externalId)
      const done = await run()
      if (done.kind === 'done') this.#done(asking, before)
      return done
    })
  }

  #done(asking: Asking, before: ReturnType<FlowPlatform['flows']['get']>): void {
    asking.doneMs = this.#stage.nowMs
    const { deed, externalId, isLate } = asking
    if (isLate) this.#stage.unsure.add(externalId)
    // A document is upstream's draft, although it is refused for what is wrong with it: [flows.document.5].
    if (deed.answer === 'refused' && deed.code !== 'FLOW_JSON_INVALID')
      this.#stage.breaks(`${deed.what} was refused, and is done`)
    const after = this.platform.flows.get(externalId)
    if (before && before.name !== after?.name) this.#frees(before.name, isLate)
    this.#says(externalId)
    if (after && before?.status !== after.status) this.#news(externalId, after.status)
  }

  async #create(id: string, submission: Parameters<FlowsPort['create']>[0]) {
    const isLate = this.#stage.requests.isDoingLate
    const made = await this.platform.create(submission)
    if (made.kind !== 'done') return made
    const { externalId } = made.value
    // Upstream refused the Flow meanwhile, and its row says so: what comes late is imported.
    const isRefused = isLate && this.#rows.some((row) => row.id === id && row.syncError !== null)
    const isMore = this.closed.has(id) || this.#served.has(id)
    this.#served.add(id)
    if (isMore && !this.#handled.has(id) && !this.#freedLoosely.has(submission.name))
      this.#stage.breaks(`${externalId} was made for ${id}, which has or had one, or was given up`)
    const madeFor = isMore || isRefused ? null : id
    if (isLate || madeFor === null) this.#stage.unsure.add(externalId)
    this.#born(externalId, madeFor, isLate)
    return made
  }

  /** `isLoose`: nobody who waits for an answer did it, so that a late creation may come behind it. */
  #frees(name: string, isLoose: boolean): void {
    if (isLoose) this.#freedLoosely.add(name)
    else this.#freedLoosely.delete(name)
  }

  #born(externalId: string, madeFor: string | null, isLate: boolean): void {
    this.lives.set(externalId, { madeFor, isLate, said: [] })
    this.#says(externalId)
  }

  #says(externalId: string): void {
    const held = this.platform.flows.get(externalId)
    const said = this.lives.get(externalId)?.said
    for (const text of [held?.name ?? '', held?.document ?? '']) said?.push({ text, sinceMs: this.#stage.nowMs })
  }

  /** Whether a Flow has, or had since then, this name or this document. */
  hasSaid(externalId: string | null, text: string, sinceMs: number): boolean {
    const said = this.lives.get(externalId ?? '')?.said ?? []
    // Name and document are noted together, so the next of the same kind is two further.
    return said.some((one, order) => one.text === text && (said[order + 2]?.sinceMs ?? Infinity) >= sinceMs)
  }

  /** Somebody makes a Flow by upstream's own pages. */
  addByHand(name: string): void {
    if (this.platform.named(name).length > 0) return
    const { externalId } = this.platform.add({ name })
    this.#born(externalId, null, false)
    // A creation of that name may be under way.
    if (this.#rows.some(({ ask }) => ask !== null)) this.#stage.unsure.add(externalId)
    this.#news(externalId, 'DRAFT')
  }

  /** Somebody gives a draft another name, or removes a Flow: nothing tells of that. */
  changeByHand(at: number, name: string | null): void {
    const held = this.all[at % Math.max(1, this.all.length)]
    if (!held || (name !== null && (held.status !== 'DRAFT' || this.platform.named(name).length > 0))) return
    const { externalId } = held
    this.#frees(held.name, true)
    this.#stage.unsure.add(externalId)
    if (name === null) this.platform.flows.delete(externalId)
    else this.platform.change(externalId, { name })
    const life = this.lives.get(externalId)
    const row = this.#rows.find(({ officialFlowId }) => officialFlowId === externalId)
    this.#handled.add(row?.id ?? life?.madeFor ?? '')
    if (life && !row) life.madeFor = null
    this.#says(externalId)
  }

  /** Upstream, or somebody by its own pages, leads a Flow to another state that may follow. */
  lead(at: number, status: FlowStatus): void {
    const held = this.all[at % Math.max(1, this.all.length)]
    if (!held || held.status === status || held.status === 'DEPRECATED' || status === 'DRAFT') return
    if (held.status === 'DRAFT' && status !== 'PUBLISHED') return
    this.platform.change(held.externalId, { status })
    this.#news(held.externalId, status)
  }

  #news(externalId: string, status: string): void {
    const { tenantId } = this.#stage.stored.number
    const news = { externalId, status: status as FlowStatus }
    const event = { tenantId, accountId: ACCOUNT_ID, news, at: this.#stage.toldAt() }
    const [order, before] = [this.#stage.news.length, this.#last.get(externalId)]
    this.#last.set(externalId, { order, at: event.at })
    const isTie = before?.at.getTime() === event.at.getTime()
    const isLast = () => !isTie && this.#last.get(externalId)?.order === order
    this.#stage.tells(`${externalId} is ${status}`, externalId, (gateway) => this.#takeIn(gateway, { event, isLast }))
  }
}
