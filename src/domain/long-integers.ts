/**
 * Finds JSON that may hold an integer beyond 2^53, which has 16 digits at least. It spares most JSON, whose ids are
 * texts, from `revive`: looking at each value takes four times as long (measured).
 */
const MAY_BE_LONG = /[:,[]\s*-?\d{16}/

type Context = { readonly source?: string }

/**
 * Reads JSON that may hold integers beyond 2^53, as upstream writes ids: `keep` gives what stands for the digits of an
 * integer that a number cannot hold. Throws as JSON.parse does.
 */
export function parseLong(text: string, keep: (digits: string) => unknown): unknown {
  if (!MAY_BE_LONG.test(text)) return JSON.parse(text)
  const revive = (_key: string, value: unknown, context?: Context): unknown => {
    const written = context?.source
    return typeof value === 'number' && !Number.isSafeInteger(value) && written !== undefined && /^-?\d+$/.test(written)
      ? keep(written)
      : value
  }
  return JSON.parse(text, revive)
}

/** Makes a value that JSON.stringify writes as these digits again. */
export function rawDigits(digits: string): unknown {
  return (JSON as typeof JSON & { rawJSON(text: string): unknown }).rawJSON(digits)
}
