/** A JSON Schema of a document. */
export type Schema = Readonly<Record<string, unknown>>

/** Named schemas of a document, by their reference: `#/components/schemas/Call`. */
export type Parts = ReadonlyMap<string, Schema>

/** Whether clients read what the schema describes, or write it. */
export type Side = 'read' | 'written'

/** A change that a client of before does not stand, and where. */
export interface Fault {
  readonly at: string
  readonly what: string
}

interface Sides {
  readonly before: Parts
  readonly after: Parts
  readonly side: Side
  /** Pairs of named schemas that are being compared, for schemas that hold themselves. */
  readonly open: ReadonlySet<string>
}

/**
 * Names what a client of `before` does not stand of `after`. What clients read may have more fields and more words of a
 * list, and no fewer fields; what they write may have fewer demands, and no further ones.
 */
export function schemaFaults(before: Schema, after: Schema, at: string, sides: Sides): Fault[] {
  const pair = `${String(before['$ref'])} ${String(after['$ref'])}`
  const isNamed = before['$ref'] !== undefined && after['$ref'] !== undefined
  if (isNamed && sides.open.has(pair)) return []
  const inside = isNamed ? { ...sides, open: new Set([...sides.open, pair]) } : sides
  const [olds, news] = [alternatives(before, sides.before), alternatives(after, sides.after)]
  const compare = (old: Schema, one: Schema) => alternativeFaults(old, one, at, inside)
  const bestFor = (old: Schema) => fewest(news.map((one) => compare(old, one)))
  if (sides.side === 'written') return olds.flatMap(bestFor)
  const bestOf = (one: Schema) => fewest(olds.map((old) => compare(old, one)))
  // A form that lost a field may look like another one, so those of before are looked for, too.
  const isLeft = (old: Schema) => news.some((one) => isOfType(one, old) || isOfType(old, one))
  return distinct([...news.flatMap(bestOf), ...olds.filter(isLeft).flatMap(bestFor)])
}

function distinct(faults: readonly Fault[]): Fault[] {
  return [...new Map(faults.map((fault) => [`${fault.at} ${fault.what}`, fault])).values()]
}

/** What the best of several matches lacks. There is at least one: a schema has a form. */
function fewest(found: readonly (readonly Fault[])[]): readonly Fault[] {
  return found.toSorted((a, b) => a.length - b.length)[0] ?? []
}

/** The forms that a value may have, each of one type and without references at its top. */
function alternatives(schema: Schema, parts: Parts): Schema[] {
  const { $ref, anyOf, oneOf, allOf, type, ...rest } = schema
  if (typeof $ref === 'string') return alternatives({ ...parts.get($ref), ...rest }, parts)
  if (Array.isArray(allOf)) {
    const merged = allOf.flatMap((one: Schema) => alternatives(one, parts))
    return [merged.reduce((all, one) => together(all, one), { type, ...rest })]
  }
  const union = anyOf ?? oneOf
  if (Array.isArray(union)) return union.flatMap((one: Schema) => alternatives(one, parts))
  if (Array.isArray(type)) return type.map((one) => ({ type: one, ...rest }))
  return [schema]
}

function together(all: Schema, one: Schema): Schema {
  return {
    ...all,
    ...one,
    properties: { ...fieldsOf(all), ...fieldsOf(one) },
    required: [...requiredOf(all), ...requiredOf(one)],
  }
}

function fieldsOf({ properties }: Schema): Readonly<Record<string, Schema>> {
  return (properties ?? {}) as Record<string, Schema>
}

function requiredOf({ required }: Schema): readonly string[] {
  return (required ?? []) as string[]
}

function alternativeFaults(before: Schema, after: Schema, at: string, sides: Sides): Fault[] {
  const [given, taken] = sides.side === 'read' ? [after, before] : [before, after]
  if (!isOfType(given, taken)) return [{ at, what: `is ${typeOf(after)}, was ${typeOf(before)}` }]
  return [
    ...valueFaults(before, after, at, sides.side),
    ...(sides.side === 'written' ? boundFaults(before, after, at) : []),
    ...fieldFaults(before, after, at, sides),
    ...insideFaults(before, after, at, sides),
  ]
}

/** Whether each value of the one is of the type of the other. A schema without a type takes any. */
function isOfType(given: Schema, taken: Schema): boolean {
  if (taken['type'] === undefined && taken['const'] === undefined && taken['enum'] === undefined) return true
  return typeOf(given) === typeOf(taken) || (typeOf(given) === 'integer' && typeOf(taken) === 'number')
}

function typeOf({ type, const: only, enum: words }: Schema): string {
  if (typeof type === 'string') return type
  const value: unknown = only ?? (Array.isArray(words) ? words[0] : undefined)
  return value === undefined ? 'anything' : typeof value
}

function valuesOf({ const: only, enum: words }: Schema): readonly unknown[] | null {
  if (only !== undefined) return [only]
  return Array.isArray(words) ? words : null
}

/** Words that are gone. What clients read may have further ones, unless it was one alone: that tells forms apart. */
function valueFaults(before: Schema, after: Schema, at: string, side: Side): Fault[] {
  const [olds, news] = [valuesOf(before), valuesOf(after)]
  if (side === 'read') {
    if (before['const'] === undefined || news?.includes(before['const'])) return []
    return [{ at, what: `is no longer ${String(before['const'])}` }]
  }
  if (news === null) return []
  if (olds === null) return [{ at, what: `takes ${news.join(', ')} alone` }]
  return olds.filter((one) => !news.includes(one)).map((one) => ({ at, what: `no longer takes ${String(one)}` }))
}

/** Bounds of what is written, with whether a greater one is stricter. */
const BOUNDS: readonly (readonly [bound: string, isLowest: boolean])[] = [
  ['minLength', true],
  ['minimum', true],
  ['minItems', true],
  ['maxLength', false],
  ['maximum', false],
  ['maxItems', false],
]

function boundFaults(before: Schema, after: Schema, at: string): Fault[] {
  const faults: Fault[] = []
  for (const [bound, isLowest] of BOUNDS) {
    const [old, now] = [before[bound], after[bound]] as [number | undefined, number | undefined]
    const isStricter = now !== undefined && (old === undefined || (isLowest ? now > old : now < old))
    if (isStricter) faults.push({ at, what: `${bound} is ${now}, was ${old ?? 'none'}` })
  }
  if (after['pattern'] !== undefined && after['pattern'] !== before['pattern'])
    faults.push({ at, what: 'has another pattern' })
  return faults
}

function fieldFaults(before: Schema, after: Schema, at: string, sides: Sides): Fault[] {
  const [olds, news] = [fieldsOf(before), fieldsOf(after)]
  const [needed, nowNeeded] = [requiredOf(before), requiredOf(after)]
  const faults: Fault[] = []
  for (const [name, old] of Object.entries(olds)) {
    const now = news[name]
    if (now === undefined) faults.push({ at: `${at}.${name}`, what: 'is gone' })
    else faults.push(...schemaFaults(old, now, `${at}.${name}`, sides))
  }
  const [stricter, looser] = sides.side === 'written' ? [nowNeeded, needed] : [needed, nowNeeded]
  const what = sides.side === 'written' ? 'is required now' : 'may be absent now'
  for (const name of stricter)
    if (!looser.includes(name) && (sides.side === 'written' || name in news)) faults.push({ at: `${at}.${name}`, what })
  return faults
}

/** What arrays and tables hold. */
function insideFaults(before: Schema, after: Schema, at: string, sides: Sides): Fault[] {
  return ['items', 'additionalProperties'].flatMap((word) => {
    const [old, now] = [before[word], after[word]]
    const areSchemas = typeof old === 'object' && old !== null && typeof now === 'object' && now !== null
    return areSchemas ? schemaFaults(old as Schema, now as Schema, `${at}[]`, sides) : []
  })
}
