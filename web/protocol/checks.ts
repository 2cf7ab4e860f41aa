/** Whether a value is what a field of a message may hold. */
export type Check<T> = (value: unknown) => value is T

/** Called with a text about a field that was left out, for the developer of the page that sent it. */
export type Warn = (text: string) => void

/**
 * An optional field of a message: `read` makes a value of anything that was sent, and warns when it leaves the sent
 * value out.
 */
export interface Wish<T> {
  readonly read: (sent: unknown, name: string, warn: Warn) => T
}

/** The fields of a payload; fields beyond these are dropped. */
export type Form = Readonly<Record<string, Check<unknown> | Wish<unknown>>>

/** The type of a payload that has a form. */
export type Payload<F extends Form> = {
  readonly [K in keyof F]: F[K] extends Check<infer T> ? T : F[K] extends Wish<infer T> ? T : never
}

/** Our choice, in UTF-16 units: longer than any token, message or id. */
const LONGEST = 4_096

export const isText: Check<string> = (value): value is string => typeof value === 'string' && value.length <= LONGEST

/** A non-negative whole number, such as a height in CSS pixels or a count. */
export const isCount: Check<number> = (value): value is number => Number.isSafeInteger(value) && (value as number) >= 0

export const isTextOrNull: Check<string | null> = (value): value is string | null => value === null || isText(value)

export const isFlag: Check<boolean> = (value): value is boolean => typeof value === 'boolean'

/** `#rrggbb`. */
export const isColor: Check<string> = (value): value is string => isText(value) && /^#[0-9a-f]{6}$/i.test(value)

/** A list of at most 20 protocol versions. */
export const isVersions: Check<readonly number[]> = (value): value is readonly number[] =>
  Array.isArray(value) && value.length <= 20 && value.every(isCount)

/** A check for one of some values. */
export function isOneOf<const T extends readonly unknown[]>(...words: T): Check<T[number]> {
  return (value): value is T[number] => words.includes(value)
}

/** A check for a number within a range, both ends included. */
export function isWithin(least: number, most: number): Check<number> {
  return (value): value is number => typeof value === 'number' && value >= least && value <= most
}

/** An optional field with a check; the value is `otherwise` when the field is absent, null or wrong. */
export function wish<T, O>(check: Check<T>, otherwise: O): Wish<T | O> {
  return {
    read(sent, name, warn) {
      if (check(sent)) return sent
      warnOf(sent, name, warn)
      return otherwise
    },
  }
}

/**
 * An object of optional fields, made of anything that was sent; a bare string is read as the field `word`, when there
 * is one.
 */
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
 * Reads the fields of a form out of what was sent; null when a required one is missing or wrong. `within` is the prefix
 * of the names in warnings.
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

/** A field that is absent or null is left out without a warning. */
function warnOf(sent: unknown, name: string, warn: Warn): void {
  if (sent !== undefined && sent !== null)
    warn(`${name} is left out: it cannot be ${typeof sent === 'object' ? 'an object' : String(sent).slice(0, 40)}`)
}
