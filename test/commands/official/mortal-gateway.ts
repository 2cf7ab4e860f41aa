/** A gateway of the product, which may end at any of its calls of a store. */
export class Gateway {
  isDead = false
  #callsLeft = Infinity

  /** It ends after so many more calls of a store. */
  endAfter(calls: number): void {
    this.#callsLeft = calls
    if (calls === 0) this.isDead = true
  }

  /** A store as this gateway reaches it: once the gateway is dead, no call does anything or comes back. */
  reach<T extends object>(store: T): T {
    return new Proxy(store, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name)
        if (typeof member !== 'function') return member
        return (...words: unknown[]) => (this.#lives() ? Reflect.apply(member, target, words) : NEVER)
      },
    })
  }

  #lives(): boolean {
    if (this.#callsLeft === 0) this.isDead = true
    this.#callsLeft -= 1
    return !this.isDead
  }
}

const NEVER = new Promise<never>(() => {})

/** Gives each gateway one of its own, made when it is first wanted. */
export function ofEach<T>(make: (gateway: Gateway) => T): (gateway: Gateway) => T {
  const made = new Map<Gateway, T>()
  return (gateway) => {
    const own = made.get(gateway) ?? make(gateway)
    made.set(gateway, own)
    return own
  }
}
