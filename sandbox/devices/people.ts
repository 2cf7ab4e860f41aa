/** Somebody whose number the network knows together with an id that hides it. */
export interface Person {
  /** Digits, as the network writes them. */
  readonly phone: string
  /** `123456789012345@lid`. */
  readonly lid: string
  /** Digits that lead to the same person, such as a form without the ninth digit. */
  readonly forms: readonly string[]
}

/** People whom the device network knows by more than one address. Everybody else is known by what a message says. */
export class People {
  readonly #people = new Map<string, Person>()

  /** Notes a person, in place of one with the same number. */
  note(person: Person): void {
    this.#people.set(person.phone, person)
  }

  /** Finds a person by any address; null when the network knows nobody by it. */
  find(address: string): Person | null {
    for (const person of this.#people.values())
      if (person.phone === address || person.lid === address || person.forms.includes(address)) return person
    return null
  }

  /** What else than `address` leads to the same person. */
  othersOf(address: string): readonly string[] {
    const person = this.find(address)
    return person === null ? [] : [person.phone, person.lid, ...person.forms].filter((other) => other !== address)
  }

  clear(): void {
    this.#people.clear()
  }
}
