import { Metadata } from 'libphonenumber-js/min'

/** What of the tables of numbers is read here; their package declares only a part. */
interface NumberTables {
  /** The countries of each calling code, the one first whose rules hold for the others. */
  countryCallingCodes(): Readonly<Record<string, readonly string[]>>
  /** The calling codes that are no country's (satellites, shared-cost numbers). */
  nonGeographic(): Readonly<Record<string, unknown>> | undefined
  /** Selects the plan that the methods below tell of, by a country or a calling code. */
  selectNumberingPlan(of: string): unknown
  possibleLengths(): readonly number[]
  nationalPrefixForParsing(): string | undefined
}

/** The numbers of a calling code. */
interface CodePlan {
  /** The lengths that numbers have in all its countries, in digits with the calling code. */
  readonly lengths: ReadonlySet<number>
  readonly codeLength: number
  /** Finds what is dialled only at home at the start of a number; null where nothing is. */
  readonly prefix: RegExp | null
}

/** A calling code has at most three digits. */
const CODE_DIGITS = 3

/** The plan of a number by its first three digits, as a number. A code is never the start of another one. */
const PLANS = plansByStart()

function plansByStart(): readonly (CodePlan | undefined)[] {
  const tables = new Metadata() as unknown as NumberTables
  const plans: (CodePlan | undefined)[] = Array.from({ length: 10 ** CODE_DIGITS })
  const codes = tables.countryCallingCodes()
  for (const code of new Set([...Object.keys(codes), ...Object.keys(tables.nonGeographic() ?? {})])) {
    const starts = 10 ** (CODE_DIGITS - code.length)
    plans.fill(planOf(tables, code, codes[code] ?? []), Number(code) * starts, (Number(code) + 1) * starts)
  }
  return plans
}

function planOf(tables: NumberTables, code: string, countries: readonly string[]): CodePlan {
  const ofCountries = countries.map((country) => lengthsOf(tables, country))
  const lengths = lengthsOf(tables, code).filter((length) => ofCountries.every((others) => others.includes(length)))
  tables.selectNumberingPlan(code)
  const prefix = tables.nationalPrefixForParsing()
  return {
    lengths: new Set(lengths.map((length) => length + code.length)),
    codeLength: code.length,
    prefix: prefix === undefined ? null : new RegExp(`^(?:${prefix})`),
  }
}

function lengthsOf(tables: NumberTables, of: string): readonly number[] {
  tables.selectNumberingPlan(of)
  return tables.possibleLengths()
}

/**
 * True of a number (digits with the country code) that its country can have as it is: its length is one of every
 * country with its calling code, and it begins with nothing that is dialled only at home. False of any other, also of
 * some that are possible: the parser tells, in twenty times the time (measured).
 */
export function isPlainlyPossible(digits: string): boolean {
  const plan = PLANS[Number(digits.slice(0, CODE_DIGITS))]
  if (!plan?.lengths.has(digits.length)) return false
  if (plan.prefix === null) return true
  const found = plan.prefix.exec(digits.slice(plan.codeLength))
  // Some expressions find an empty text where nothing is dialled in front.
  return found === null || (found[0] === '' && found.every((group) => !group))
}
