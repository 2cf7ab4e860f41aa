import { ChannelError } from './error.ts'
import type { Target } from './types.ts'

/** Reads the two forms of a call, `f(target, options)` and `f({ target, ...options })`. Throws TARGET_NOT_FOUND. */
export function readCall<O extends object>(
  first: Target | (O & { target: Target }),
  second: O | undefined,
): { readonly place: Element; readonly options: O } {
  const isTarget = typeof first === 'string' || first instanceof Node
  return { place: placeOf(isTarget ? first : first?.target), options: (isTarget ? second : first) ?? ({} as O) }
}

function placeOf(target: Target | undefined): Element {
  try {
    const found = typeof target === 'string' ? document.querySelector(target) : target
    if (found) return found
  } catch {}
  throw new ChannelError(
    'TARGET_NOT_FOUND',
    `No element is ${String(target)}`,
    'Give an element or a selector, once it is on the page.',
  )
}

/**
 * The token of a call in the form the SDK needs. Throws TOKEN_MISSING, and TOKEN_INVALID when `read` finds none in it.
 */
export function readToken(token: unknown, read: (text: string) => string | null, from: string): string {
  if (!token) throw new ChannelError('TOKEN_MISSING', 'No token is given', `Your backend gets one by ${from}.`)
  const found = typeof token === 'string' ? read(token) : null
  if (found === null)
    throw new ChannelError('TOKEN_INVALID', 'This is no such token', `Give what ${from} answers, as it came.`)
  return found
}

interface Destroyable {
  destroy(): void
}

const mounted = new WeakMap<object, Map<unknown, Destroyable>>()

/**
 * The same options object at the same place mounts once, until the mount is destroyed: frameworks mount twice in
 * development to find faults.
 */
export function mountOnce<H extends Destroyable>(options: object, place: unknown, mount: (forget: () => void) => H): H {
  const places = mounted.get(options) ?? new Map<unknown, Destroyable>()
  mounted.set(options, places)
  const there = places.get(place)
  if (there) return there as H
  const handle = mount(() => places.delete(place))
  places.set(place, handle)
  return handle
}
