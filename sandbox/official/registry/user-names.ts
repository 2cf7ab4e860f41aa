import { createHash } from 'node:crypto'
import { GraphError, invalid } from '../http/graph-error.ts'

/** our choice: ids are made from the number, so that a number has the same one each time. */
function madeUpId(user: string): string {
  return `US.${BigInt(`0x${createHash('sha256').update(user).digest('hex').slice(0, 16)}`)}`
}

/** Digits of a user; a `+` and punctuation are tolerated. */
function readUser(text: string): string {
  const digits = text.replaceAll(/[\s()+.-]/g, '')
  if (!/^\d{5,15}$/.test(digits)) throw invalid('to: has to be a phone number')
  return digits
}

/** A user who changed number or id; null where the user has none, or hides it. */
export interface ChangedUser {
  readonly number: string | null
  readonly userId: string | null
  readonly previousNumber: string | null
  readonly previousId: string | null
}

/** How users are named: by number, and by an id once they have one; a user who hides the number, by the id alone. */
export class UserNames {
  readonly #ids = new Map<string, string>()
  readonly #numbers = new Map<string, string>()
  readonly #hidden = new Set<string>()
  /** The digits that upstream knows users by, by other forms of them. */
  readonly #forms = new Map<string, string>()

  /** Hides the user's number from now on. Answers the id. */
  hide(user: string, userId: string = this.#ids.get(user) ?? madeUpId(user)): string {
    this.note(user, userId)
    this.#hidden.add(user)
    return userId
  }

  /** Names the user by number and id from now on. Answers the id. */
  show(user: string): string {
    const userId = this.#ids.get(user) ?? madeUpId(user)
    this.note(user, userId)
    this.#hidden.delete(user)
    return userId
  }

  /** Notes another form of the user's digits: messages to it reach the user, under the digits of the user. */
  also(user: string, form: string): void {
    this.#forms.set(form, user)
  }

  /** Gives the user other digits, another id or both. Answers what the user was known by before, and is by now. */
  change(user: string, { number = user, userId }: { readonly number?: string; readonly userId?: string }): ChangedUser {
    const previousId = this.#ids.get(user) ?? null
    const isHidden = this.#hidden.has(user)
    const id = userId ?? previousId
    if (number !== user) {
      this.#ids.delete(user)
      this.#hidden.delete(user)
    }
    if (id !== null) this.note(number, id)
    if (isHidden) this.#hidden.add(number)
    return { number: isHidden ? null : number, userId: id, previousId, previousNumber: isHidden ? null : user }
  }

  /** Notes that the user has this id: messages to it reach the user. */
  note(user: string, userId: string): void {
    this.#ids.set(user, userId)
    this.#numbers.set(userId, user)
  }

  /** Digits of a request's recipient: a number wins over an id (upstream's Calling API). */
  read(to: unknown, recipient: unknown): string {
    if (typeof to === 'string') {
      const digits = readUser(to)
      return this.#forms.get(digits) ?? digits
    }
    if (typeof recipient !== 'string') throw new GraphError(131008, { details: 'to: is required, or recipient' })
    const user = this.#numbers.get(recipient)
    if (user === undefined) throw invalid('recipient: there is no such user')
    return user
  }

  /** The user under the two keys that a place has for number and id. `hiddenAs` names the user by that id alone. */
  under(numberKey: string, idKey: string, user: string, hiddenAs: string | null = null): object {
    if (hiddenAs !== null) return { [idKey]: hiddenAs }
    const userId = this.#ids.get(user)
    if (userId === undefined) return { [numberKey]: user }
    return this.#hidden.has(user) ? { [idKey]: userId } : { [numberKey]: user, [idKey]: userId }
  }

  /** The user in the form of webhooks. A null name leaves the profile out. */
  contactOf(user: string, name: string | null = `Peer ${user.slice(-4)}`, hiddenAs: string | null = null): object {
    return { ...(name === null ? {} : { profile: { name } }), ...this.under('wa_id', 'user_id', user, hiddenAs) }
  }

  reset(): void {
    this.#ids.clear()
    this.#numbers.clear()
    this.#hidden.clear()
    this.#forms.clear()
  }
}
