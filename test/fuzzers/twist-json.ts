import type { Random } from '../../simulation/random.ts'

/** Values at which readers go wrong, as JSON. */
const ODD_VALUES = [
  'null',
  'true',
  '0',
  '-1',
  '0.5',
  '1e300',
  '2147483648',
  '9007199254740993',
  '""',
  '" "',
  '"\\u0000"',
  '"\\ud800"',
  '"0"',
  '"-1"',
  '"NaN"',
  '"__proto__"',
  '[]',
  '{}',
  '[null]',
  '[[[]]]',
  '{"__proto__":{"a":1}}',
  '{"id":{}}',
]

/** A member of an object, or an item of a list. */
interface Place {
  readonly holder: Record<string, unknown>
  readonly name: string
}

function placesIn(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return []
  const holder = value as Record<string, unknown>
  return Object.keys(holder).flatMap((name) => [{ holder, name }, ...placesIn(holder[name])])
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return null
  }
}

function change({ holder, name }: Place, others: readonly Place[], random: Random): void {
  const other = others.length > 0 ? random.pick(others) : null
  const kind = random.between(0, 4)
  if (kind === 0) delete holder[name]
  else if (kind === 1 && other) holder[name] = structuredClone(other.holder[other.name])
  else if (kind === 2 && other) holder[other.name] = structuredClone(other.holder[other.name])
  else if (kind === 3) holder[name] = [holder[name], structuredClone(holder[name])]
  else holder[name] = JSON.parse(random.pick(ODD_VALUES))
}

/** A JSON text with one to three of its values changed; null when it is none, or holds nothing. */
export function twistJson(bytes: Buffer, other: Buffer, random: Random): Buffer | null {
  const value = parsed(bytes)
  const others = placesIn(parsed(other))
  for (let left = random.between(1, 3); left > 0; left--) {
    const places = placesIn(value)
    if (places.length === 0) return null
    change(random.pick(places), others, random)
  }
  return Buffer.from(JSON.stringify(value))
}
