import { createFlows } from '../../../src/commands/flows/flows.ts'
import type { FlowCommands } from '../../../src/commands/flows/flows.ts'
import type { FlowPorts } from '../../../src/commands/flows/ports.ts'
import type { Outcome } from '../../../src/domain/errors.ts'
import type { FlowId } from '../../../src/domain/ids.ts'
import type { OfficialNumber } from '../../../src/ports/official/number.ts'
import type { FlowAsk, StoredFlow } from '../../../src/ports/stores/flow-store.ts'
import { AccountStage } from '../official/account-stage.ts'
import type { Account, Deed, Shown } from '../official/account-stage.ts'
import { ofEach, type Gateway } from '../official/mortal-gateway.ts'
import { FlowAccount } from './doubt-account.ts'
import type { Asking, Told } from './doubt-account.ts'

/** What was answered of a Flow that a client created. */
interface Answered {
  /** Upstream's id as its row last had it; null before that. */
  externalId: string | null
  isPublished: boolean
  isDeprecated: boolean
  /** `perhaps`: a removal is under way, or nobody knows. */
  isRemoved: 'no' | 'perhaps' | 'yes'
}

/** Clients of two gateways, upstream's account of Flows, and what each was told. */
export class FlowDoubtWorld implements Account {
  readonly stage = new AccountStage(this)
  readonly account = new FlowAccount(this.stage, (gateway, told) => this.#takeIn(gateway, told))
  readonly #answered = new Map<string, Answered>()
  /** Upstream's ids that are known to be gone. */
  readonly #gone = new Set<string>()
  /** The commands of each gateway's own work: their callers share the listings. */
  readonly #ownOf = ofEach((gateway) => this.#commandsOf(gateway, null))

  get #rows(): StoredFlow[] {
    return this.stage.stored.flows()
  }

  get #number() {
    return this.stage.stored.number
  }

  #row(at: number): StoredFlow | undefined {
    return this.#rows[at % Math.max(1, this.#rows.length)]
  }

  rows(isRead: boolean): readonly Shown[] {
    return this.#rows.flatMap((row) => {
      const { officialFlowId, name, officialStatus } = row
      // A Flow that left DRAFT stays, with its answers, when upstream shows it no more: [flows.upstream.8].
      const isKept = officialStatus !== 'DRAFT' && !this.account.platform.flows.has(officialFlowId ?? '')
      if (officialFlowId === null || isKept) return []
      const read = isRead ? ` ${row.categories.join()} ${row.jsonVersion} ${row.validationErrors.length}` : ''
      return [{ about: officialFlowId, words: `${officialFlowId} ${name} ${officialStatus}${read}` }]
    })
  }

  upstream(isRead: boolean): readonly Shown[] {
    return this.account.all.map(({ externalId, name, status, ...more }) => {
      const read = isRead ? ` ${more.categories.join()} ${more.jsonVersion ?? ''} ${more.validationErrors.length}` : ''
      return { about: externalId, words: `${externalId} ${name} ${status}${read}` }
    })
  }

  /** A row that waits for upstream is about what was made for it, too. */
  asked(): readonly Shown[] {
    return this.#rows.flatMap(({ id, officialFlowId, ask }) => {
      const about = officialFlowId === null ? ['', ...this.account.madeFor(id)] : [officialFlowId]
      return ask ? about.map((one) => ({ about: one, words: `${ask.kind} of ${id}` })) : []
    })
  }

  broken(): readonly string[] {
    this.account.see()
    const back = this.#rows.filter(({ officialFlowId }) => officialFlowId !== null && this.#gone.has(officialFlowId))
    const silent = this.#rows.filter(
      ({ officialFlowId, ask, syncError }) => officialFlowId === null && ask === null && syncError === null,
    )
    return [
      ...back.map(({ officialFlowId }) => `${officialFlowId} was removed, and is back`),
      ...this.#rows
        .filter(
          ({ id, officialFlowId, ask }) => officialFlowId === null && !ask && this.account.madeFor(id, true).length > 0,
        )
        .map(({ id }) => `${id} has ${this.account.madeFor(id, true)} upstream, and does not know`),
      ...silent.map(({ id }) => `${id} is not upstream, waits for nothing, and does not say why`),
      ...[...this.#answered].flatMap(([id, answered]) => this.#brokenOf(id, answered)),
    ]
  }

  #brokenOf(id: string, answered: Answered): readonly string[] {
    const { externalId } = answered
    const row = this.#rows.find((one) => one.id === id)
    if (!row) {
      // What was published keeps its answers, whatever upstream shows.
      const isKept = externalId === null || answered.isPublished || this.account.platform.flows.has(externalId)
      return answered.isRemoved === 'no' && isKept ? [`${id} of ${externalId} was answered, and has no row`] : []
    }
    if (externalId !== null && row.officialFlowId !== externalId)
      return [`${id} was ${externalId}, and is ${row.officialFlowId}`]
    answered.externalId = row.officialFlowId
    const { officialStatus } = row
    return [
      ...(answered.isPublished && officialStatus === 'DRAFT' ? [`${id} was published, and is a draft`] : []),
      ...(answered.isDeprecated && officialStatus !== 'DEPRECATED' ? [`${id} ended, and is ${officialStatus}`] : []),
    ]
  }

  settle(gateway: Gateway): Promise<unknown> {
    return this.#ownOf(gateway).settleAsked(() => true)
  }

  list(gateway: Gateway) {
    return this.#ownOf(gateway).sync(this.#number)
  }

  /** A Flow is created and has a document, and all of that is known. */
  async draw(name: string): Promise<void> {
    this.create(0, name, null)
    await this.stage.answerAll()
    const at = this.#rows.findIndex((row) => row.name === name)
    if (at >= 0) this.upload(0, at, '{"screens":[]}')
    await this.stage.answerAll()
  }

  /**
   * A client asks a gateway for a Flow. One that is answered is there once, under the id of the answer. `source`: which
   * Flow is cloned; null for none.
   */
  create(at: number, name: string, source: number | null): void {
    const cloneFromFlowId = source === null ? null : (this.#row(source)?.id ?? null)
    const given = { name, categories: null, cloneFromFlowId }
    this.#do(
      `create ${name}`,
      at,
      (commands) => commands.create(this.#number, given),
      ({ id, officialFlowId }) => {
        if (this.#answered.has(id)) this.stage.breaks(`${id} was answered twice`)
        const life = officialFlowId === null ? null : this.account.lives.get(officialFlowId)
        if (life === undefined) this.stage.breaks(`${officialFlowId} was never made upstream`)
        const other = life?.madeFor ?? id
        const isThere = officialFlowId !== null && this.account.platform.flows.has(officialFlowId)
        if (isThere && other !== id && this.#answered.get(other)?.isRemoved === 'no')
          this.stage.breaks(`${id} took what was made for ${other}`)
        this.#answered.set(id, { externalId: officialFlowId, isPublished: false, isDeprecated: false, isRemoved: 'no' })
      },
    )
  }

  /** A client gives a Flow another name. */
  rename(at: number, which: number, name: string): void {
    const given = { name, categories: null }
    this.#write('UPDATE', at, which, name, (commands, id) => commands.patch(this.#number, id, given))
  }

  /** A client gives a Flow a document. */
  upload(at: number, which: number, json: string): void {
    this.#write('DOCUMENT', at, which, json, (commands, id) => commands.uploadDocument(this.#number, id, json))
  }

  /** A client publishes a Flow, which is no draft from then on. */
  publish(at: number, which: number): void {
    this.#write('PUBLISH', at, which, null, (commands, id) => commands.publish(this.#number, id))
  }

  /** A client ends a Flow, which stays so. */
  deprecate(at: number, which: number): void {
    this.#write('DEPRECATE', at, which, null, (commands, id) => commands.deprecate(this.#number, id, null))
  }

  /** A write on a Flow. `text`: the name or the document that it gives to it. */
  #write(
    kind: FlowAsk['kind'],
    at: number,
    which: number,
    text: string | null,
    ask: (commands: FlowCommands, id: FlowId) => Promise<Outcome<StoredFlow>>,
  ): void {
    const id = this.#row(which)?.id
    if (id === undefined) return
    this.#do(
      `${kind} ${id} ${text ?? ''}`,
      at,
      (commands) => ask(commands, id),
      ({ officialFlowId }, { beganMs }) => {
        if (text !== null && !this.account.hasSaid(officialFlowId, text, beganMs))
          this.stage.breaks(`${kind} "${text}" of ${officialFlowId} was never taken`)
        const answered = this.#answered.get(id)
        if (kind === 'PUBLISH' && answered) answered.isPublished = true
        if (kind === 'DEPRECATE' && answered) answered.isDeprecated = true
      },
    )
  }

  /** A client removes a Flow. What is answered as removed is gone upstream, and nothing more is made for it. */
  remove(at: number, which: number): void {
    const row = this.#row(which)
    if (!row) return
    const answered = this.#answered.get(row.id)
    if (answered?.isRemoved === 'no') answered.isRemoved = 'perhaps'
    const ask = (commands: FlowCommands) => commands.remove(this.#number, row.id)
    this.#do(`remove ${row.id}`, at, ask, () => {
      if (answered) answered.isRemoved = 'yes'
      this.account.closed.add(row.id)
      const made = this.account.madeFor(row.id, true)
      if (made.length > 0) this.stage.breaks(`${row.id} was removed, and ${made} is there`)
      const externalId = answered?.externalId ?? row.officialFlowId
      if (externalId === null) return
      if (this.account.platform.flows.has(externalId)) this.stage.breaks(`${externalId} was removed, and is there`)
      this.#gone.add(externalId)
    })
  }

  /** A client has a Flow read upstream. */
  refresh(at: number, which: number): void {
    const row = this.#row(which)
    const commands = this.#ownOf(this.stage.gateway(at))
    if (row) this.stage.run(`refresh ${row.id}`, () => commands.refresh(this.#number, row))
  }

  #do<T>(
    what: string,
    at: number,
    ask: (commands: FlowCommands) => Promise<Outcome<T>>,
    done: (value: T, deed: Deed) => void,
  ): void {
    const gateway = this.stage.gateway(at)
    const asked = (deed: Deed) => ask(this.#commandsOf(gateway, deed))
    this.stage.do(what, gateway, asked, (outcome, deed) => {
      if (outcome.ok) return done(outcome.value, deed)
      const made = this.account.askings.filter((one) => one.deed === deed && one.doneMs !== null)
      // Upstream has taken a document that it finds wrong: [flows.document.5].
      if (deed.answer === 'refused' && made.length > 0 && deed.code !== 'FLOW_JSON_INVALID')
        this.stage.breaks(`${what} was done, and refused with ${deed.code}`)
      if (deed.answer === 'unknown' && made.some((one) => !one.isLate && !this.#isKnown(one)))
        this.stage.breaks(`${what} was done, its answer was lost, and no row says so`)
      this.#notCreated(deed)
    })
  }

  /** Nothing may come of a creation that was refused; what may have come of one in doubt is in doubt in a row. */
  #notCreated(deed: Deed): void {
    const id = deed.what.startsWith('create ') ? this.account.rowOf.get(deed) : undefined
    if (id === undefined) return
    const made = this.account.madeFor(id)
    // While another Flow has the name, an earlier request for it that comes late is refused, too.
    if (deed.answer === 'refused' && deed.code !== 'FLOW_NAME_INVALID') this.account.closed.add(id)
    if (deed.answer === 'refused' && made.length > 0)
      this.stage.breaks(`${deed.what} was done, and refused with ${deed.code}`)
    const isKnown = this.#rows.some((row) => row.id === id)
    if (made.some((externalId) => this.account.lives.get(externalId)?.isLate === false) && !isKnown)
      this.stage.breaks(`${deed.what} was done, its answer was lost, and no row says so`)
  }

  /** Whether a row says what was done, or that it may be. */
  #isKnown({ kind, externalId, doneMs }: Asking): boolean {
    const row = this.#rows.find((one) => one.officialFlowId === externalId)
    if (!row || row.ask !== null) return true
    if (kind === 'DELETE') return false
    // Somebody may have removed it by hand since.
    if (!this.account.platform.flows.has(externalId)) return true
    if (kind === 'PUBLISH') return row.officialStatus !== 'DRAFT'
    if (kind === 'DEPRECATE') return row.officialStatus === 'DEPRECATED'
    const isOver = this.account.lives.get(externalId)?.said.at(-1)?.sinceMs !== doneMs
    return kind !== 'UPDATE' || isOver || row.name === this.account.platform.flows.get(externalId)?.name
  }

  #commandsOf(gateway: Gateway, deed: Deed | null): FlowCommands {
    const port = { flows: this.account.portOf(gateway, deed) }
    return createFlows({
      ...this.stage.portsOf(gateway),
      officialOf: () => port as Pick<OfficialNumber, 'flows'> as OfficialNumber,
      // Nobody answers a Flow of the world.
      flowResponses: {} as FlowPorts['flowResponses'],
    })
  }

  async #takeIn(gateway: Gateway, { event, isLast }: Told): Promise<void> {
    const { externalId, status } = event.news
    const isAsked = () => this.asked().some(({ about }) => about === externalId || about === '')
    const [before, { unread }, begun] = [isAsked(), this.stage.requests, this.stage.deeds.length]
    await this.#ownOf(gateway).told(event)
    const isWritten = this.#rows.some((row) => row.officialFlowId === externalId && row.officialStatus === status)
    // A row that is being asked about takes over nothing that is read for news.
    const isMissed = before || isAsked() || this.stage.deeds.length > begun
    if (this.stage.requests.unread > unread || (isMissed && !(isWritten && isLast()))) this.stage.unsure.add(externalId)
  }
}
