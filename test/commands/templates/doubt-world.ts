import { createTemplates } from '../../../src/commands/templates/templates.ts'
import type { TemplateCommands } from '../../../src/commands/templates/templates.ts'
import type { TemplatePorts } from '../../../src/commands/templates/ports.ts'
import type { Outcome } from '../../../src/domain/errors.ts'
import type { OfficialNumber } from '../../../src/ports/official/number.ts'
import type { StoredTemplate } from '../../../src/ports/stores/template-store.ts'
import { AccountStage } from '../official/account-stage.ts'
import type { Account, Deed, Shown } from '../official/account-stage.ts'
import { ofEach, type Gateway } from '../official/mortal-gateway.ts'
import { isOf, TemplateAccount, textOf } from './doubt-account.ts'
import type { Asking, Key, Told } from './doubt-account.ts'

/** One name in two languages: what is done to one leaves the other alone. */
const KEYS: readonly Key[] = ['en', 'pt_BR'].map((language) => ({ name: 'hello', language }))

/** Clients of two gateways, upstream's account of templates, and what each was told. */
export class TemplateDoubtWorld implements Account {
  readonly stage = new AccountStage(this)
  readonly account = new TemplateAccount(this.stage, (gateway, told) => this.#takeIn(gateway, told))
  /** Upstream's id of each template that was answered as created, by our id. */
  readonly #promised = new Map<string, string>()
  /** Upstream's ids that are known to be gone. */
  readonly #gone = new Set<string>()
  /** The commands of each gateway's own work: their callers share the listings. */
  readonly #ownOf = ofEach((gateway) => this.#commandsOf(gateway, null))

  /** The words of the template at this place. */
  key(at: number): Key {
    const key = KEYS[at % KEYS.length]
    if (!key) throw new Error('there is no key')
    return key
  }

  get #rows(): StoredTemplate[] {
    return this.stage.stored.templates()
  }

  get #number() {
    return this.stage.stored.number
  }

  rows(): readonly Shown[] {
    return this.#rows.map(({ language, externalId, upstreamStatus, quality, body }) => ({
      about: language,
      words: `${language} ${externalId} ${upstreamStatus} ${quality} "${body.body?.text}"`,
    }))
  }

  upstream(): readonly Shown[] {
    return this.account.all.map((one) => ({
      about: one.language,
      words: `${one.language} ${one.externalId} ${one.status} ${one.quality ?? 'UNKNOWN'} "${String(textOf(one))}"`,
    }))
  }

  asked(): readonly Shown[] {
    return this.#rows.flatMap(({ language, ask }) =>
      ask ? [{ about: language, words: `${ask.kind} of ${language}` }] : [],
    )
  }

  broken(): readonly string[] {
    const back = this.#rows.filter(({ externalId }) => externalId !== null && this.#gone.has(externalId))
    const lost = [...this.#promised].filter(
      ([id, externalId]) =>
        this.account.platform.templates.has(externalId)
        && this.#rows.find((row) => row.id === id)?.externalId !== externalId,
    )
    return [
      ...back.map(({ externalId }) => `${externalId} was removed, and is back`),
      ...lost.map(([id, externalId]) => `${id} was answered for ${externalId}, and is not its row`),
    ]
  }

  settle(gateway: Gateway): Promise<unknown> {
    return this.#ownOf(gateway).settleAsked(() => true)
  }

  list(gateway: Gateway) {
    return this.#ownOf(gateway).sync(this.#number)
  }

  /** A template is created and approved, and all of that is known. */
  async approve(key: Key, text: string): Promise<void> {
    this.create(0, key, text)
    await this.stage.answerAll()
    this.account.review(key, 'APPROVED')
    this.stage.tell(0, this.stage.news.at(-1))
    await this.stage.answerAll()
  }

  /** A client asks a gateway for a template. One that is answered is there once, under the id of the answer. */
  create(at: number, key: Key, text: string): void {
    const given = { ...key, category: 'UTILITY', body: text, examples: {} } as const
    const ask = (commands: TemplateCommands) => commands.create(this.#number, given)
    this.#do(`create ${key.language} "${text}"`, at, ask, (row) => {
      this.#mustSay(row, text)
      const externalId = row.externalId ?? ''
      const life = this.account.lives.get(externalId)
      if (!life || !isOf(key, life.key)) return this.stage.breaks(`${row.externalId} was never made upstream`)
      if (this.#promised.has(row.id) || [...this.#promised.values()].includes(externalId))
        this.stage.breaks(`${row.id} ${externalId} was answered twice`)
      this.#promised.set(row.id, externalId)
    })
  }

  /** A client asks for another text. What is answered as edited had that text upstream. */
  edit(at: number, key: Key, text: string): void {
    const given = { name: null, category: null, language: null, body: text, examples: {} }
    const ask = (commands: TemplateCommands) =>
      commands.update({ number: this.#number, idOrName: key.name, languageAsked: key.language, ...given })
    this.#do(`edit ${key.language} "${text}"`, at, ask, (row, { beganMs }) => {
      this.#mustSay(row, text)
      const texts = this.account.lives.get(row.externalId ?? '')?.texts ?? []
      const wasSo = texts.some((one, order) => one.text === text && (texts[order + 1]?.sinceMs ?? Infinity) >= beganMs)
      if (!wasSo) this.stage.breaks(`the edit "${text}" was never taken`)
    })
  }

  /** A client removes a template. What is answered as removed is gone upstream, and stays so. */
  remove(at: number, key: Key): void {
    const ask = (commands: TemplateCommands) => commands.remove(this.#number, key.name, key.language)
    this.#do(`remove ${key.language}`, at, ask, (_, deed) => {
      const { externalId = null } = this.account.askings.find((one) => one.deed === deed) ?? {}
      if (externalId === null) return this.stage.breaks(`${key.language} was removed, and upstream was not asked`)
      if (this.account.platform.templates.has(externalId)) this.stage.breaks(`${externalId} was removed, and is there`)
      this.#gone.add(externalId)
    })
  }

  /** A client has a template read upstream. */
  refresh(at: number, key: Key): void {
    const row = this.#rows.find((one) => isOf(key, one))
    const commands = this.#ownOf(this.stage.gateway(at))
    if (row) this.stage.run(`refresh ${key.language}`, () => commands.refresh(this.#number, row))
  }

  #mustSay({ body }: StoredTemplate, text: string): void {
    if (body.body?.text !== text) this.stage.breaks(`"${text}" was asked for, "${body.body?.text}" was answered`)
  }

  #do<T>(
    what: string,
    at: number,
    ask: (commands: TemplateCommands) => Promise<Outcome<T>>,
    done: (value: T, deed: Deed) => void,
  ): void {
    const gateway = this.stage.gateway(at)
    const asked = (deed: Deed) => ask(this.#commandsOf(gateway, deed))
    this.stage.do(what, gateway, asked, (outcome, deed) => {
      if (outcome.ok) return done(outcome.value, deed)
      const made = this.account.askings.filter((one) => one.deed === deed && one.doneMs !== null && this.#holds(one))
      // What was found under the name is imported, and may be what this deed made: [templates.create.3].
      const isImported = deed.code === 'TEMPLATE_ALREADY_EXISTS'
      if (deed.answer === 'refused' && !isImported && made.length > 0)
        this.stage.breaks(`${what} was done, and refused with ${deed.code}`)
      if (deed.answer === 'unknown' && made.some((one) => !one.isLate && !this.#isKnown(one)))
        this.stage.breaks(`${what} was done, its answer was lost, and no row says so`)
    })
  }

  /** Whether what a deed made is still so upstream. */
  #holds({ kind, externalId, doneMs }: Asking): boolean {
    if (kind === 'DELETE') return true
    const isThere = externalId !== null && this.account.platform.templates.has(externalId)
    return isThere && (kind === 'CREATE' || this.account.lives.get(externalId)?.texts.at(-1)?.sinceMs === doneMs)
  }

  /** Whether a row says what was done, or that it may be. */
  #isKnown({ kind, externalId }: Asking): boolean {
    const life = this.account.lives.get(externalId ?? '')
    const row = this.#rows.find((one) => one.externalId === externalId || (life && one.ask && isOf(life.key, one)))
    if (kind === 'DELETE') return !row || row.ask !== null
    return row !== undefined && (row.ask !== null || row.body.body?.text === life?.texts.at(-1)?.text)
  }

  #commandsOf(gateway: Gateway, deed: Deed | null): TemplateCommands {
    const port = { templates: this.account.portOf(gateway, deed) }
    return createTemplates({
      ...this.stage.portsOf(gateway),
      officialOf: () => port as Pick<OfficialNumber, 'templates'> as OfficialNumber,
      cardHosts: { isAllowed: () => false, isForbidden: () => false },
      // No template of the world has a file, and none is sent.
      messages: { isQueued: async () => false } as Partial<TemplatePorts['messages']> as TemplatePorts['messages'],
      templateFiles: { release: async () => {} } as Partial<
        TemplatePorts['templateFiles']
      > as TemplatePorts['templateFiles'],
    })
  }

  async #takeIn(gateway: Gateway, { event, externalId, key, isLast }: Told): Promise<void> {
    const asked = () => this.#rows.flatMap((row) => (row.ask !== null && isOf(key, row) ? [row.ask.kind] : []))
    const [before, { unread }, begun] = [asked(), this.stage.requests, this.stage.deeds.length]
    const isKnown = this.#rows.some((row) => row.externalId === externalId)
    await this.#ownOf(gateway).told(event)
    const during = [...before, ...asked()]
    const isEnd = event.value['event'] === 'DELETED'
    // News of a row that is being asked about count as they come, and such a row takes over nothing that is read for
    // them. A template made by hand may have the name that a creation wants.
    const isByHand = this.account.lives.get(externalId)?.isByHand === true
    const isUnsure = isByHand || !isLast() || this.stage.deeds.length > begun
    // The end of a template without a row says nothing to an import of it that is under way.
    if (this.stage.requests.unread > unread || (isUnsure && during.length > 0) || (isEnd && !isKnown))
      this.stage.unsure.add(key.language)
    if (isEnd && isKnown && !during.includes('CREATE')) this.#gone.add(externalId)
  }
}
