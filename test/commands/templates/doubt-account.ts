import type { TemplateEvent } from '../../../src/commands/templates/told.ts'
import { succeed } from '../../../src/domain/errors.ts'
import type { TemplatesPort, UpstreamTemplate } from '../../../src/ports/official/templates.ts'
import type { UpstreamWrite } from '../../../src/ports/official/write.ts'
import type { StoredTemplate, TemplateAsk } from '../../../src/ports/stores/template-store.ts'
import { ACCOUNT_ID } from '../../../simulation/accounts/stores.ts'
import { TemplatePlatform } from '../../helpers/template-platform.ts'
import type { AccountStage, Deed } from '../official/account-stage.ts'
import type { Gateway } from '../official/mortal-gateway.ts'

/** The words by which a template is known. */
export interface Key {
  readonly name: string
  readonly language: string
}

/** A template that there is or was upstream. */
interface Life {
  readonly key: Key
  readonly isByHand: boolean
  /** Its texts, the last one last, each with the time from which on it was so. */
  readonly texts: { readonly text: unknown; readonly sinceMs: number }[]
}

/** What a deed asked of upstream, and what came of it. */
export interface Asking {
  readonly deed: Deed
  readonly kind: TemplateAsk['kind']
  /** Of a creation it is known once it is done. */
  externalId: string | null
  /** When it was done; null when it was not. */
  doneMs: number | null
  /** It was done when nobody waited for it any more. */
  isLate: boolean
}

/** What a webhook tells, with what upstream alone knows of it. */
export interface Told {
  readonly event: TemplateEvent
  readonly externalId: string
  readonly key: Key
  /** Whether these are the newest news of the matter, no others have their second, and no edit may come behind them. */
  isLast(): boolean
}

export function isOf(key: Key, one: Key): boolean {
  return key.name === one.name && key.language === one.language
}

export function textOf({ components }: Pick<UpstreamTemplate, 'components'>): unknown {
  return components.find(({ type }) => type === 'BODY')?.['text']
}

/** An account of templates upstream: what it is asked waits until it is said what to do, and it keeps what it did. */
export class TemplateAccount {
  readonly platform = new TemplatePlatform()
  /** Every template that there ever was, by upstream's id. */
  readonly lives = new Map<string, Life>()
  readonly askings: Asking[] = []
  readonly #stage: AccountStage
  readonly #takeIn: (gateway: Gateway, told: Told) => Promise<void>
  /** Languages whose template was last removed by hand. */
  readonly #freedByHand = new Set<string>()
  /** The last news of each matter, with their place among all. */
  readonly #last = new Map<string, { readonly order: number; readonly at: Date }>()

  constructor(stage: AccountStage, takeIn: (gateway: Gateway, told: Told) => Promise<void>) {
    this.#stage = stage
    this.#takeIn = takeIn
  }

  get all(): UpstreamTemplate[] {
    return [...this.platform.templates.values()]
  }

  /** The template that has these words now. */
  at(key: Key): UpstreamTemplate | undefined {
    return this.all.find((one) => isOf(key, one))
  }

  /** What a gateway asks, for a client's deed or of its own. */
  portOf(from: Gateway, deed: Deed | null): TemplatesPort {
    const { platform } = this
    const { requests } = this.#stage
    return {
      create: (submission) => this.#write(from, deed, 'CREATE', submission, null, () => platform.create(submission)),
      edit: (id, submission) =>
        this.#write(from, deed, 'EDIT', this.lives.get(id)?.key, id, () => platform.edit(id, submission)),
      remove: (id, name) =>
        this.#write(from, deed, 'DELETE', this.lives.get(id)?.key, id, () => platform.remove(id, name)),
      find: (name, language) => requests.read(from, `find ${language}`, () => platform.find(name, language)),
      read: (externalId) => requests.read(from, `read ${externalId}`, () => platform.read(externalId)),
      page: (after) => requests.read(from, `page ${after}`, () => this.#page(after)),
      uploadSample: (file) => platform.uploadSample(file),
    }
  }

  /** Pages of one template each, after an id: what goes meanwhile moves no others. */
  async #page(after: string | null): ReturnType<TemplatesPort['page']> {
    const left = this.all.filter(({ externalId }) => after === null || externalId > after)
    const next = left.length > 1 ? (left[0]?.externalId ?? null) : null
    return succeed({ templates: left.slice(0, 1), next, isWhole: true })
  }

  #write<T>(
    from: Gateway,
    deed: Deed | null,
    kind: TemplateAsk['kind'],
    key: Key | undefined,
    externalId: string | null,
    run: () => Promise<UpstreamWrite<T>>,
  ): Promise<UpstreamWrite<T>> {
    const what = `${kind} of ${key?.language}`
    if (!deed || !key) throw new Error(`${what} is nobody's deed`)
    // A crash now must leave the doubt in the row.
    if (!this.#rows(key).some(({ ask }) => ask?.kind === kind))
      this.#stage.breaks(`${what} is asked, and no row says so`)
    const asking: Asking = { deed, kind, externalId, doneMs: null, isLate: false }
    this.askings.push(asking)
    return this.#stage.requests.write(from, what, async () => {
      asking.isLate = this.#stage.requests.isDoingLate
      const done = await run()
      if (done.kind === 'done') this.#done(asking, key)
      return done
    })
  }

  #rows(key: Key): StoredTemplate[] {
    return this.#stage.stored.templates().filter((row) => isOf(key, row))
  }

  #done(asking: Asking, key: Key): void {
    asking.doneMs = this.#stage.nowMs
    asking.externalId ??= this.at(key)?.externalId ?? null
    const { deed, kind, externalId, isLate } = asking
    // The name of a template is not held, unlike that of a Flow: once a template was removed, an earlier request for it
    // may still make another one, which only a listing tells.
    if (isLate) this.#stage.unsure.add(key.language)
    // What was found under the name was imported: [templates.create.3].
    const isImported = deed.code === 'TEMPLATE_ALREADY_EXISTS'
    if (deed.answer === 'refused' && !isImported && !this.#freedByHand.has(key.language))
      this.#stage.breaks(`${deed.what} was refused, and is done`)
    if (externalId === null) return
    if (kind === 'CREATE') this.#born(externalId, key, false)
    if (kind === 'EDIT') this.#worded(externalId)
    if (kind === 'DELETE') this.#ended(externalId, key, false)
  }

  #born(externalId: string, { name, language }: Key, isByHand: boolean): void {
    this.lives.set(externalId, { key: { name, language }, isByHand, texts: [] })
    this.#worded(externalId)
  }

  #worded(externalId: string): void {
    const shown = this.platform.templates.get(externalId)
    if (shown) this.lives.get(externalId)?.texts.push({ text: textOf(shown), sinceMs: this.#stage.nowMs })
  }

  #ended(externalId: string, { language }: Key, isByHand: boolean): void {
    if (isByHand) this.#freedByHand.add(language)
    else this.#freedByHand.delete(language)
    this.#news('STATUS', externalId, { event: 'DELETED' })
  }

  /** Somebody makes a template by upstream's own pages. */
  addByHand(key: Key, text: string): void {
    if (this.at(key)) return
    const { externalId } = this.platform.add({ ...key, components: [{ type: 'BODY', text }] })
    this.#born(externalId, key, true)
    this.#unsureOf(key)
    this.#news('STATUS', externalId, { event: 'APPROVED' })
  }

  /** Somebody gives a template another text there. */
  editByHand(key: Key, text: string): void {
    const shown = this.at(key)
    if (!shown) return
    this.platform.change(shown.externalId, { components: [{ type: 'BODY', text }], status: 'PENDING' })
    this.#worded(shown.externalId)
    this.#unsureOf(key)
    this.#news('COMPONENTS', shown.externalId, {})
  }

  /** Somebody removes a template there. */
  removeByHand(key: Key): void {
    const shown = this.at(key)
    if (!shown) return
    this.platform.templates.delete(shown.externalId)
    this.#unsureOf(key)
    this.#ended(shown.externalId, key, true)
  }

  /** Upstream reviews a template. */
  review(key: Key, status: string): void {
    const shown = this.at(key)
    if (!shown || shown.status === status) return
    this.platform.change(shown.externalId, { status })
    this.#news('STATUS', shown.externalId, { event: status })
  }

  /** Upstream rates a template. */
  rate(key: Key, quality: 'GREEN' | 'RED'): void {
    const shown = this.at(key)
    if (!shown || shown.quality === quality) return
    this.platform.change(shown.externalId, { quality })
    this.#news('QUALITY', shown.externalId, { new_quality_score: quality })
  }

  /** What is done by hand while the service asks may be behind what it asked for. */
  #unsureOf(key: Key): void {
    if (this.#rows(key).some(({ ask }) => ask !== null)) this.#stage.unsure.add(key.language)
  }

  #news(kind: TemplateEvent['kind'], externalId: string, value: TemplateEvent['value']): void {
    const key = this.lives.get(externalId)?.key
    if (!key) return
    const { tenantId } = this.#stage.stored.number
    const event = {
      tenantId,
      accountId: ACCOUNT_ID,
      kind,
      ref: { externalId, ...key },
      value,
      at: this.#stage.toldAt(),
    }
    const [matter, order, madeMs] = [`${kind} ${externalId}`, this.#stage.news.length, this.#stage.nowMs]
    const isTie = this.#last.get(matter)?.at.getTime() === event.at.getTime()
    this.#last.set(matter, { order, at: event.at })
    const isLast = () =>
      kind !== 'COMPONENTS'
      && !isTie
      && this.#last.get(matter)?.order === order
      && !this.#mayBeEdited(externalId, madeMs)
    this.#stage.tells(`${kind} of ${externalId}: ${JSON.stringify(value)}`, key.language, (gateway) =>
      this.#takeIn(gateway, { event, externalId, key, isLast }),
    )
  }

  /** Whether an edit came after that, or may still come. */
  #mayBeEdited(externalId: string, afterMs: number): boolean {
    const isEdited = (this.lives.get(externalId)?.texts.at(-1)?.sinceMs ?? 0) > afterMs
    const isUnknown = ({ answer }: Deed) => answer === 'open' || answer === 'unknown'
    return (
      isEdited
      || this.askings.some(
        (one) => one.kind === 'EDIT' && one.externalId === externalId && one.doneMs === null && isUnknown(one.deed),
      )
    )
  }
}
