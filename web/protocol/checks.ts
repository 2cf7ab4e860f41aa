/** Whether a value is what a field of a message may hold. */
export type Check<T> = (value: unknown) => value is T

/** Hears of what a message is read without, in words for the developer of the page that sent it. */
export type Warn = (text: string) => void

/**
 * A field that a message is good without: it makes a value of whatever was sent, and warns of what it leaves out, by
 * name.
 */
export interface Wish<T> {
  readonly read: (sent: unknown, name: string, warn: Warn) => T
}

/** The fields of a payload; what it has beyond them is dropped. */
export type Form = Readonly<Record<string, Check<unknown> | Wish<unknown>>>

/** What a payload of a form holds. */
export type Payload<F extends Form> = {
  readonly [K in keyof F]: F[K] extends Check<infer T> ? T : F[K] extends Wish<infer T> ? T : never
}

/** Our choice, in UTF-16 units: far over any token, message or id. */
const LONGEST = 4_096

export const isText: Check<string> = (value): value is string => typeof value === 'string' && value.length <= LONGEST

/** A whole number that can be a height in CSS pixels or a count. */
export const isCount: Check<number> = (value): value is number => Number.isSafeInteger(value) && (value as number) >= 0

export const isTextOrNull: Check<string | null> = (value): value is string | null => value === null || isText(value)

export const isFlag: Check<boolean> = (value): value is boolean => typeof value === 'boolean'

/** `#rrggbb`. */
export const isColor: Check<string> = (value): value is string => isText(value) && /^#[0-9a-f]{6}$/i.test(value)

/** Versions of the protocol, a few. */
export const isVersions: Check<readonly number[]> = (value): value is readonly number[] =>
  Array.isArray(value) && value.length <= 20 && value.every(isCount)

/** One of a few words. */
export function isOneOf<const T extends readonly unknown[]>(...words: T): Check<T[number]> {
  return (value): value is T[number] => words.includes(value)
}

/** A number of a range, its ends included. */
export function isWithin(least: number, most: number): Check<number> {
  return (value): value is number => typeof value === 'number' && value >= least && value <= most
}

/** A value of a check; `otherwise` where it is absent, null or wrong. */
export function wish<T, O>(check: Check<T>, otherwise: O): Wish<T | O> {
  return {
    read(sent, name, warn) {
      if (check(sent)) return sent
      warnOf(sent, name, warn)
      return otherwise
    },
  }
}

/** An object of wishes, whatever was sent; a word alone says the field `word`, where there is one. */
export function wishes<const F extends Readonly<Record<string, Wish<unknown>>>>(
  form: F,
  word?: keyof F & string,
): Wish<Payload<F>> {
  return {
    read(sent, name, warn) {
      const said = word && typeof sent === 'string' ? { [word]: sent } : sent
      if (typeof said !== 'object') warnOf(said, name, warn)
      const fields: Readonly<Record<string, unknown>> = typeof said === 'object' ? { ...said } : {}
      for (const field of Object.keys(fields))
        if (!Object.hasOwn(form, field)) warnOf(fields[field], `${name}: ${field}`, warn)
      return readPayload(form, fields, warn, `${name}: `) as Payload<F>
    },
  }
}

/**
 * The fields of a form out of what was sent; null where one that it needs is missing or wrong. `within` comes before
 * the names that `warn` hears.
 */
export function readPayload<F extends Form>(form: F, sent: unknown, warn: Warn, within = ''): Payload<F> | null {
  if (typeof sent !== 'object' || sent === null) return null
  const read: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(form)) {
    const value = (sent as Readonly<Record<string, unknown>>)[name]
    if (typeof field !== 'function') read[name] = field.read(value, within + name, warn)
    else if (field(value)) read[name] = value
    else return null
  }
  return read as Payload<F>
}

/** What is absent is left out in silence. */
function warnOf(sent: unknown, name: string, warn: Warn): void {
  if (sent !== undefined && sent !== null)
    warn(`${name} is left out: it cannot be ${typeof sent === 'object' ? 'an object' : String(sent).slice(0, 40)}`)
}
