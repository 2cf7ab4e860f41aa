import { endOfString } from './json-fault.ts'

/** Keys and indexes from the top of a document. */
export type Path = readonly (string | number)[]

/** A place as offsets of the text; `to` is the one after it. */
interface Span {
  readonly from: number
  readonly to: number
}

/** A value with its key; `key` is null in lists and at the top. */
export interface Site {
  readonly key: Span | null
  readonly value: Span
}

interface Wanted {
  readonly below: Map<string | number, Wanted>
  /** The site; of several members of one name the last, as in JSON.parse. */
  site: Site | null
}

/** A container that leads to something wanted. */
interface Frame {
  readonly wanted: Wanted
  readonly from: number
  readonly key: Span | null
  readonly isList: boolean
  index: number
  /** Wanted members of a list that have not come yet. */
  left: number
}

/** Codes of `"`, `{` and `[`; the closing bracket is two codes later. */
const [QUOTE, BRACE, BRACKET] = [34, 123, 91]

function treeOf(paths: readonly Path[]): Wanted {
  const top: Wanted = { below: new Map(), site: null }
  for (const path of paths) {
    let at = top
    for (const step of path) {
      const next = at.below.get(step) ?? { below: new Map(), site: null }
      at.below.set(step, next)
      at = next
    }
  }
  return top
}

function isBlank(text: string, at: number): boolean {
  return ' \t\r\n'.includes(text[at] ?? 'x')
}

/** Finds where values stand in a JSON text. Other values are skipped. */
class Locator {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  locate(top: Wanted): void {
    const frames: Frame[] = []
    this.#blank()
    this.#value(top, null, frames)
    for (let frame = frames.at(-1); frame; frame = frames.at(-1)) this.#next(frame, frames)
  }

  /** Reads a value that is wanted or leads to a wanted one. */
  #value(wanted: Wanted, key: Span | null, frames: Frame[]): void {
    const from = this.#at
    const first = this.#text[from]
    if ((first === '{' || first === '[') && wanted.below.size > 0) {
      this.#at++
      frames.push({ wanted, from, key, isList: first === '[', index: 0, left: wanted.below.size })
      return
    }
    this.#pass()
    wanted.site = { key, value: { from, to: this.#at } }
  }

  /** Reads the next member of a container, or its end. */
  #next(frame: Frame, frames: Frame[]): void {
    this.#blank()
    if (this.#text[this.#at] === ',') {
      this.#at++
      this.#blank()
    }
    // The rest of a list holds nothing wanted; in an object the last member of a name counts.
    const isOver = frame.isList && frame.left === 0
    if (isOver || this.#text[this.#at] === (frame.isList ? ']' : '}')) {
      if (isOver) this.#passOut(1)
      else this.#at++
      frame.wanted.site = { key: frame.key, value: { from: frame.from, to: this.#at } }
      frames.pop()
      return
    }
    const key = frame.isList ? null : this.#key()
    const name = key ? (JSON.parse(this.#text.slice(key.from, key.to)) as string) : frame.index++
    const wanted = frame.wanted.below.get(name)
    if (wanted) frame.left--
    if (wanted) this.#value(wanted, key, frames)
    else this.#pass()
  }

  #key(): Span {
    const from = this.#at
    this.#at = endOfString(this.#text, from) ?? this.#text.length
    const key = { from, to: this.#at }
    this.#blank()
    this.#at++
    this.#blank()
    return key
  }

  /** Moves past a value, whatever it holds. */
  #pass(): void {
    const first = this.#text[this.#at]
    if (first === '"') {
      this.#at = endOfString(this.#text, this.#at) ?? this.#text.length
    } else if (first === '{' || first === '[') {
      this.#at++
      this.#passOut(1)
    } else {
      while (
        this.#at < this.#text.length
        && !',]}'.includes(this.#text[this.#at] ?? '')
        && !isBlank(this.#text, this.#at)
      )
        this.#at++
    }
  }

  /** Moves out of as many containers as are open. */
  #passOut(open: number): void {
    const text = this.#text
    let [at, depth] = [this.#at, open]
    while (depth > 0 && at < text.length) {
      const code = text.charCodeAt(at)
      if (code === QUOTE) at = endOfString(text, at) ?? text.length
      else at++
      if (code === BRACE || code === BRACKET) depth++
      else if (code === BRACE + 2 || code === BRACKET + 2) depth--
    }
    this.#at = at
  }

  #blank(): void {
    while (isBlank(this.#text, this.#at)) this.#at++
  }
}

/** Sites of the values at some paths of a JSON text, in their order; null for a path without a value. */
export function locate(text: string, paths: readonly Path[]): (Site | null)[] {
  const top = treeOf(paths)
  new Locator(text).locate(top)
  return paths.map((path) => path.reduce<Wanted | undefined>((at, step) => at?.below.get(step), top)?.site ?? null)
}

/** A place counted from 1. */
export interface Place {
  readonly line: number
  readonly column: number
}

/**
 * Lines and columns of offsets of a text. A line ends with a line feed, a carriage return, or both; columns count
 * UTF-16 units.
 */
export function placesOf(text: string, offsets: readonly number[]): ReadonlyMap<number, Place> {
  const places = new Map<number, Place>()
  const breaks = /\r\n?|\n/g
  let [line, from] = [1, 0]
  let found = breaks.exec(text)
  for (const offset of [...new Set(offsets)].toSorted((a, b) => a - b)) {
    for (; found && breaks.lastIndex <= offset; found = breaks.exec(text)) {
      line++
      from = breaks.lastIndex
    }
    places.set(offset, { line, column: offset - from + 1 })
  }
  return places
}
