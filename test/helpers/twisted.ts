import * as fc from 'fast-check'

const DEEP = JSON.parse('['.repeat(9_000) + ']'.repeat(9_000)) as object
Object.defineProperty(DEEP, fc.toStringMethod, { value: () => 'DEEP' })
/** Text that does not compress: three bytes for each letter. */
const letters = (count: number): string =>
  Array.from({ length: count }, (_, at) => String.fromCharCode(0x4e00 + ((at * 7_919) % 20_000))).join('')

/**
 * The extremes of each type, and values beyond them. The text after `RAW` is written unchanged, because JSON.stringify
 * would not write it.
 */
const EXTREMES: readonly unknown[] = [
  null,
  true,
  '',
  ' ',
  '\0',
  'a\0b',
  '\uD800',
  '😀'.repeat(200),
  letters(300),
  letters(512),
  '漢'.repeat(4_000),
  'x'.repeat(70_000),
  '{{'.repeat(9_000),
  '{{1}}'.repeat(9_000),
  'NaN',
  '-9',
  '0',
  '1e400',
  [],
  {},
  DEEP,
  [null],
  [[[]]],
  { id: '\0' },
  { 'a\0b': 1, '\uD800': '\uDC00', constructor: 'c' },
  'RAW {"__proto__":{"\\u0000":1}}',
  0,
  -0,
  0.5,
  -1,
  Number.POSITIVE_INFINITY,
  2 ** 31 - 1,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 53,
  1e300,
  -1e300,
  'RAW -0',
  'RAW 1e400',
  'RAW -1e400',
  'RAW 99999999999999999999',
  '2147483648',
  '9007199254740993',
  '9223372036854775808',
  '99999999999999999999',
  '9'.repeat(64),
  '9'.repeat(65),
  1_795_586_125,
  1_795_586_125_000,
  1_795_586_125_000_000,
  '1795586125000',
  '1795586125000000',
  253_402_300_800,
  -62_135_596_801,
  8.64e15,
  '0001-01-01',
  '+275760-09-13',
  '0001-01-01T00:00:00+0000',
  '9999-12-31T23:59:59-2359',
]
const extreme = fc.constantFrom(...EXTREMES)

/** Replaces or removes random parts of a value, except those in `kept`. */
export function twisted(value: unknown, kept: readonly string[]): fc.Arbitrary<unknown> {
  if (Array.isArray(value)) return fc.tuple(...value.map((part: unknown) => twisted(part, kept)))
  if (typeof value === 'object' && value !== null) {
    return fc.record(
      Object.fromEntries(
        Object.entries(value).map(([key, part]) => [
          key,
          kept.includes(key)
            ? fc.constant(part)
            : fc.oneof(
                { weight: 12, arbitrary: twisted(part, kept) },
                { weight: 2, arbitrary: extreme },
                { weight: 1, arbitrary: fc.constant(undefined) },
              ),
        ]),
      ),
    )
  }
  return fc.oneof({ weight: 5, arbitrary: fc.constant(value) }, { weight: 2, arbitrary: extreme })
}

/** Writes JSON with depths and numbers that JSON.stringify cannot write, but the upstream can. */
export function textOf(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    part === DEEP ? `RAW ${'['.repeat(9_000)}${']'.repeat(9_000)}` : part,
  ).replaceAll(/"RAW ((?:[^"\\]|\\.)*)"/g, (_, written: string) => JSON.parse(`"${written}"`) as string)
}
