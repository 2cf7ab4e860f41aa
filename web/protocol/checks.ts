/** Whether a value is what a field of a message may hold. */
export type Check<T> = (value: unknown) => value is T

/** The fields of a payload; what it has beyond them is dropped. */
export type Form = Readonly<Record<string, Check<unknown>>>

/** What a payload of a form holds. */
export type Payload<F extends Form> = { readonly [K in keyof F]: F[K] extends Check<infer T> ? T : never }

/** Our choice, in UTF-16 units: far over any token, message or id. */
const LONGEST = 4_096

export const isText: Check<string> = (value): value is string => typeof value === 'string' && value.length <= LONGEST

/** A whole number that can be a height in CSS pixels or a count. */
export const isCount: Check<number> = (value): value is number => Number.isSafeInteger(value) && (value as number) >= 0

export const isNumberOrNull: Check<number | null> = (value): value is number | null => value === null || Number.isFinite(value)

export const isTextOrNull: Check<string | null> = (value): value is string | null => value === null || isText(value)

export const isFlag: Check<boolean> = (value): value is boolean => typeof value === 'boolean'

/** Versions of the protocol, a few. */
export const isVersions: Check<readonly number[]> = (value): value is readonly number[] => Array.isArray(value) && value.length <= 20 && value.every(isCount)

/** One of a few words. */
export function isOneOf<const T extends readonly unknown[]>(...words: T): Check<T[number]> {
  return (value): value is T[number] => words.includes(value)
}

/** An object of a form. */
export function isOf<F extends Form>(form: F): Check<Payload<F>> {
  return (value): value is Payload<F> => readPayload(form, value) !== null
}

/** The fields of a form out of what was sent; null where one is missing or wrong. */
export function readPayload<F extends Form>(form: F, sent: unknown): Payload<F> | null {
  if (typeof sent !== 'object' || sent === null) return null
  const fields = Object.entries(form).map(([name, check]) => [name, (sent as Record<string, unknown>)[name], check] as const)
  return fields.every(([, value, check]) => check(value)) ? Object.fromEntries(fields) as Payload<F> : null
}
