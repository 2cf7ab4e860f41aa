import type { Outcome } from '../../src/domain/errors.ts'
import type { TemplateCommands } from '../../src/commands/templates/templates.ts'
import type { Client } from '../client.ts'
import type { Cluster } from '../cluster.ts'
import type { Random } from '../random.ts'

/** What a client asked for of a template, and what it was told. */
export interface TemplateDeed {
  readonly kind: 'create' | 'edit' | 'remove'
  readonly name: string
  /** The new wording; null for a removal. */
  readonly text: string | null
  readonly beganMs: number
  readonly endedMs: number
  /** `unknown`: there was no answer, or one that says that nobody knows. */
  readonly answer: 'done' | 'refused' | 'unknown'
}

/** One thing happens each so many ms. */
const EVERY_MS = [100, 2_500] as const
const LANGUAGE = 'en'
/** Of 100 things so many are templates under a new name; under a name that was used; edits; by hand upstream. */
const NEW_PERCENT = 40
const AGAIN_PERCENT = 15
const EDIT_PERCENT = 50
const BY_HAND_PERCENT = 15

/** What says that upstream did not answer, so that nobody knows. */
const IN_DOUBT = 'OFFICIAL_ERROR'

/** Clients that create, change and remove templates of one account. */
export class TemplateClients {
  readonly deeds: TemplateDeed[] = []
  /** Names that somebody removed by the platform's own pages. */
  readonly removedByHand = new Set<string>()
  readonly #cluster: Cluster
  readonly #random: Random
  readonly #client: Client
  readonly #names: string[] = []
  #texts = 0

  constructor(cluster: Cluster, random: Random, client: Client) {
    this.#cluster = cluster
    this.#random = random
    this.#client = client
  }

  /** Goes on until `untilMs`. */
  begin(untilMs: number): void {
    const { timeline } = this.#cluster
    const next = (): void => {
      if (timeline.nowMs >= untilMs) return
      this.#something()
      timeline.after(this.#random.between(...EVERY_MS), next)
    }
    timeline.after(this.#random.between(...EVERY_MS), next)
  }

  #something(): void {
    const [isNew, isAgain, isEdit, isByHand] = [NEW_PERCENT, AGAIN_PERCENT, EDIT_PERCENT, BY_HAND_PERCENT].map(
      (percent) => this.#random.chance(percent),
    )
    if (isNew || this.#names.length === 0) return this.#create(this.#newName())
    const name = this.#random.pick(this.#names)
    if (isAgain) return this.#create(name)
    if (isEdit) return this.#edit(name)
    if (isByHand) return this.#removeByHand(name)
    void this.#do('remove', name, null, (commands) => commands.remove(this.#number, name, LANGUAGE))
  }

  get #number() {
    return this.#cluster.database.account.number
  }

  #newName(): string {
    const name = `t${this.#names.length + 1}`
    this.#names.push(name)
    return name
  }

  #removeByHand(name: string): void {
    this.removedByHand.add(name)
    this.#cluster.platform.removeByHand(name)
  }

  #create(name: string): void {
    const body = this.#newText()
    const given = { name, category: 'UTILITY', language: LANGUAGE, body, examples: {} } as const
    void this.#do('create', name, body, (commands) => commands.create(this.#number, given))
  }

  #edit(name: string): void {
    const body = this.#newText()
    const input = { number: this.#number, idOrName: name, languageAsked: LANGUAGE, name: null, category: null }
    void this.#do('edit', name, body, (commands) => commands.update({ ...input, language: null, body, examples: {} }))
  }

  #newText(): string {
    return `Text ${++this.#texts} is here.`
  }

  async #do(
    kind: TemplateDeed['kind'],
    name: string,
    text: string | null,
    run: (commands: TemplateCommands) => Promise<Outcome<unknown>>,
  ): Promise<void> {
    const { timeline, journal } = this.#cluster
    const beganMs = timeline.nowMs
    const told = await this.#client.under(() =>
      this.#client.ask(async ({ templates }) => {
        if (!templates) throw new Error('not yet')
        return run(templates)
      }),
    )
    const answer = answerOf(told?.value ?? null)
    this.deeds.push({ kind, name, text, beganMs, endedMs: timeline.nowMs, answer })
    journal.note('client', `${kind} ${name}: ${answer}`)
  }
}

function answerOf(told: Outcome<unknown> | null): TemplateDeed['answer'] {
  if (told?.ok) return 'done'
  return told === null || told.error.code === IN_DOUBT ? 'unknown' : 'refused'
}
