import { openAccount } from '../../../simulation/accounts/stores.ts'
import { Machine } from '../../../simulation/machine.ts'
import { Timeline } from '../../../simulation/timeline.ts'
import type { ListingCounts } from '../../../src/commands/official/listings.ts'
import type { Outcome } from '../../../src/domain/errors.ts'
import { silentLog } from '../../helpers/silent.ts'
import { HeldRequests } from './held-requests.ts'
import { Gateway } from './mortal-gateway.ts'

const SECOND_MS = 1_000
/** Longer than a lease, and than what was removed stays away. */
const LONG_MS = 900_000
/** By then everything that was in doubt must be settled. */
const TURNS = 8
/** Requests that follow each other; nothing asks more often. */
const STEPS = 200
/** What says that upstream did not answer, so that nobody knows. */
const IN_DOUBT = 'OFFICIAL_ERROR'

/** What a client asked for, and what it was told. */
export interface Deed {
  readonly what: string
  readonly from: Gateway
  readonly beganMs: number
  /** `unknown`: there was no answer, or one that says that nobody knows. */
  answer: 'open' | 'done' | 'refused' | 'unknown'
  /** The code of a refusal. */
  code: string | null
}

/** What upstream tells by a webhook, until a gateway has taken it in, and again. */
export interface News {
  readonly what: string
  readonly about: string
  readonly tell: (gateway: Gateway) => Promise<void>
  isTold: boolean
}

/** A template or a Flow as one side has it, in words, and what it is known by on both sides. */
export interface Shown {
  readonly about: string
  readonly words: string
}

/** What is played on a stage. */
export interface Account {
  /** What rows and upstream have. `isRead`: with what only reads tell. */
  rows(isRead: boolean): readonly Shown[]
  upstream(isRead: boolean): readonly Shown[]
  /** What the service is asking upstream about. */
  asked(): readonly Shown[]
  /** What breaks a promise whatever is under way. */
  broken(): readonly string[]
  /** What a gateway does for what is in doubt, and for a listing. */
  settle(gateway: Gateway): Promise<unknown>
  list(gateway: Gateway): Promise<Outcome<ListingCounts>>
}

/** The rows of an account, two gateways, and what is under way between them, clients and upstream. */
export class AccountStage {
  readonly timeline = new Timeline()
  readonly clock = new Machine('account', this.timeline)
  readonly stored = openAccount(this.clock)
  readonly requests = new HeldRequests(this.timeline)
  readonly deeds: Deed[] = []
  readonly news: News[] = []
  /** What only a listing tells for certain. */
  readonly unsure = new Set<string>()
  /** What broke a promise. */
  readonly broken: string[] = []
  readonly #gateways = [new Gateway(), new Gateway()]
  readonly #account: Account

  constructor(account: Account) {
    this.#account = account
  }

  /** What the commands of a gateway need beside upstream. */
  portsOf(gateway: Gateway) {
    const { numbers, official, templates, flows } = this.stored.shared
    return {
      numbers,
      official,
      templates: gateway.reach(templates),
      flows: gateway.reach(flows),
      marksStored: async () => {},
      clock: this.clock,
      log: silentLog,
    }
  }

  /** The gateway that runs at this place now. */
  gateway(at: number): Gateway {
    const gateway = this.#gateways[at % this.#gateways.length]
    if (!gateway) throw new Error('there is no gateway')
    return gateway
  }

  get nowMs(): number {
    return this.clock.now()
  }

  /** When something happens now, as upstream tells it. */
  toldAt(): Date {
    return new Date(Math.floor(this.nowMs / SECOND_MS) * SECOND_MS)
  }

  /** Time passes, and everything goes on that does not wait for upstream. */
  async pass(ms: number): Promise<void> {
    await this.timeline.run(this.timeline.nowMs + ms)
    for (const [at, gateway] of this.#gateways.entries())
      if (gateway.isDead) {
        this.requests.forget(gateway)
        for (const deed of this.deeds) if (deed.from === gateway && deed.answer === 'open') deed.answer = 'unknown'
        this.#gateways[at] = new Gateway()
      }
    for (const what of [...this.#account.broken(), ...this.#toldApart()]) this.breaks(what)
  }

  /** Says once what breaks a promise. */
  breaks(what: string): void {
    if (!this.broken.includes(what)) this.broken.push(what)
  }

  /** A client asks a gateway for something; `told` is called with the answer, if one comes. */
  do<T>(
    what: string,
    from: Gateway,
    ask: (deed: Deed) => Promise<Outcome<T>>,
    told: (outcome: Outcome<T>, deed: Deed) => void,
  ): void {
    const deed: Deed = { what, from, beganMs: this.nowMs, answer: 'open', code: null }
    this.deeds.push(deed)
    this.run(what, async () => {
      const outcome = await ask(deed)
      deed.code = outcome.ok ? null : outcome.error.code
      deed.answer = outcome.ok ? 'done' : outcome.error.code === IN_DOUBT ? 'unknown' : 'refused'
      told(outcome, deed)
    })
  }

  /** Something begins whose end nobody waits for. */
  run(what: string, run: () => Promise<unknown>): void {
    void run().catch((error: unknown) => this.breaks(`${what} threw ${String(error)}`))
  }

  /** Upstream has some news to tell. */
  tells(what: string, about: string, tell: News['tell']): void {
    this.news.push({ what, about, tell, isTold: false })
  }

  /** A gateway is told some news, perhaps once more. */
  tell(at: number, news: News | undefined): void {
    if (news) this.run(news.what, () => news.tell(this.gateway(at)).then(() => void (news.isTold = true)))
  }

  /** Some news never come. */
  loseNews(news: News | undefined): void {
    if (!news || news.isTold) return
    news.isTold = true
    this.unsure.add(news.about)
  }

  /** Everything that is out is answered, and what follows it, too. */
  async answerAll(): Promise<void> {
    await this.pass(1)
    for (let step = 0; step < STEPS && this.requests.open.length > 0; step++) {
      this.requests.end(this.requests.open[0], 'answered')
      await this.pass(1)
    }
  }

  /** Everything comes to rest and is listed: both sides must be the same then, and nothing in doubt. */
  async rest(): Promise<void> {
    await this.#quieten()
    for (const { what } of this.deeds.filter(({ answer }) => answer === 'open')) this.breaks(`${what} has no answer`)
    for (const { words } of this.#account.asked()) this.breaks(`it is in doubt for ever: ${words}`)
    await this.#list()
    for (const what of this.#differences('as listed', true, () => true)) this.breaks(what)
    const again = await this.#list()
    if (again !== '0 0 0') this.breaks(`a second listing changed something: ${again}`)
    this.unsure.clear()
  }

  /** Everything answers, and all news are taken in, until nothing is under way. */
  async #quieten(): Promise<void> {
    for (const gateway of this.#gateways) gateway.endAfter(Infinity)
    for (let turn = 0; turn < TURNS; turn++) {
      await this.answerAll()
      while (this.requests.late.length > 0) {
        this.requests.doLate(this.requests.late[0])
        await this.pass(1)
      }
      for (const news of this.news.filter(({ isTold }) => !isTold)) {
        this.tell(0, news)
        await this.answerAll()
      }
      const isOver = this.deeds.every(({ answer }) => answer !== 'open') && this.news.every(({ isTold }) => isTold)
      if (isOver && this.#account.asked().length === 0) return
      await this.pass(LONG_MS)
      this.run('a chore', () => this.#account.settle(this.gateway(0)))
    }
  }

  /** Gives how many rows a listing imported, changed and removed. */
  async #list(): Promise<string> {
    let counts = 'it failed'
    this.run('a listing', async () => {
      const listed = await this.#account.list(this.gateway(0))
      if (listed.ok) counts = `${listed.value.imported} ${listed.value.updated} ${listed.value.removed}`
    })
    await this.answerAll()
    return counts
  }

  /** What is not the same on both sides although all is answered and told, and nothing is unsure. */
  #toldApart(): readonly string[] {
    if (this.requests.open.length > 0) return []
    const waiting = [...this.news.filter(({ isTold }) => !isTold), ...this.#account.asked()]
    return this.#differences(
      'as told',
      false,
      (about) => !this.unsure.has(about) && !waiting.some((one) => one.about === about),
    )
  }

  #differences(when: string, isRead: boolean, isWanted: (about: string) => boolean): readonly string[] {
    const [rows, upstream] = [this.#account.rows(isRead), this.#account.upstream(isRead)].map((side) =>
      side.filter(({ about }) => isWanted(about)).map(({ words }) => words),
    )
    return [
      ...(rows ?? [])
        .filter((one) => !upstream?.includes(one))
        .map((one) => `${when}: the row ${one} is not so upstream`),
      ...(upstream ?? []).filter((one) => !rows?.includes(one)).map((one) => `${when}: ${one} upstream is no row`),
    ]
  }
}
