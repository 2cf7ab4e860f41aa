import type { Cluster } from '../cluster.ts'
import type { Random } from '../random.ts'
import type { Deeds } from './deeds.ts'

const LANGUAGE = 'en'
/** Of 100 things so many are templates under a new name; under a name that was used; edits; removals by hand. */
const NEW_PERCENT = 25
const AGAIN_PERCENT = 15
const EDIT_PERCENT = 50
const BY_HAND_PERCENT = 15

/** Clients that create, change and remove templates. */
export class TemplateClients {
  readonly deeds: Deeds
  /** Names that somebody removed by the platform's own pages. */
  readonly removedByHand = new Set<string>()
  readonly #cluster: Cluster
  readonly #random: Random
  readonly #names: string[] = []
  #texts = 0

  constructor(cluster: Cluster, random: Random, deeds: Deeds) {
    this.#cluster = cluster
    this.#random = random
    this.deeds = deeds
  }

  /** Does one thing or another. */
  act(): void {
    const [isNew, isAgain, isEdit, isByHand] = [NEW_PERCENT, AGAIN_PERCENT, EDIT_PERCENT, BY_HAND_PERCENT].map(
      (percent) => this.#random.chance(percent),
    )
    if (isNew || this.#names.length === 0) return this.#create(this.#newName())
    const name = this.#random.pick(this.#names)
    if (isAgain) return this.#create(name)
    if (isEdit) return this.#edit(name)
    if (isByHand) return this.#removeByHand(name)
    const { number } = this.#cluster.database.account
    void this.deeds.do({ kind: 'remove', name, value: null }, ({ desk }) =>
      desk.templates.remove(number, name, LANGUAGE),
    )
  }

  #newName(): string {
    const name = `t${this.#names.length + 1}`
    this.#names.push(name)
    return name
  }

  #removeByHand(name: string): void {
    this.removedByHand.add(name)
    this.#cluster.platform.templates.removeByHand(name)
  }

  #create(name: string): void {
    const { number } = this.#cluster.database.account
    const body = this.#newText()
    const given = { name, category: 'UTILITY', language: LANGUAGE, body, examples: {} } as const
    void this.deeds.do({ kind: 'create', name, value: body }, ({ desk }) => desk.templates.create(number, given))
  }

  #edit(name: string): void {
    const { number } = this.#cluster.database.account
    const body = this.#newText()
    const given = { name: null, category: null, language: null, body, examples: {} }
    void this.deeds.do({ kind: 'edit', name, value: body }, ({ desk }) =>
      desk.templates.update({ number, idOrName: name, languageAsked: LANGUAGE, ...given }),
    )
  }

  #newText(): string {
    return `Text ${++this.#texts} is here.`
  }
}
