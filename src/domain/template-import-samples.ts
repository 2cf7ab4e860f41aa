import { fieldsIn, listIn, own, textIn } from './json-fields.ts'
import type { Fields } from './json-fields.ts'
import type { ImportFacts, ImportedButton } from './template-import-button.ts'
import { keyOf, upstreamNature } from './template-keys.ts'
import type { TextPlace } from './template-places.ts'

type Entry = readonly [key: string, value: string]

function keyIn(kind: TextPlace['kind'], card: number | null, name: string, facts: ImportFacts): string {
  return keyOf(name, { kind, card, button: null, field: '', text: '' }, upstreamNature(facts))
}

/** Reads samples by place: those of a header in a list, those of a body in a list of lists. */
function positional(value: unknown, kind: TextPlace['kind'], card: number | null, facts: ImportFacts): Entry[] {
  const list: readonly unknown[] = Array.isArray(value) ? value.flat(1) : []
  return list.flatMap((one, at) =>
    typeof one === 'string' ? [[keyIn(kind, card, String(at + 1), facts), one] as const] : [],
  )
}

function named(example: Fields, list: string): Entry[] {
  return listIn(example, list).flatMap((one) => {
    const [name, value] = [textIn(one, 'param_name'), own(one, 'example')]
    return name !== null && typeof value === 'string' ? [[name, value] as const] : []
  })
}

/** Reads the samples that upstream shows of a header, a body and the URLs beside them, under the service's keys. */
export function samplesOfTexts(
  header: Fields | null,
  body: Fields | null,
  card: number | null,
  facts: ImportFacts,
  buttons: readonly ImportedButton[],
): Record<string, string> {
  const [ofHeader, ofBody] = [header ? fieldsIn(header, 'example') : {}, body ? fieldsIn(body, 'example') : {}]
  // Building from entries keeps a name such as `__proto__` a key like any other.
  return Object.fromEntries<string>([
    ...positional(own(ofHeader, 'header_text'), 'HEADER', card, facts),
    ...named(ofHeader, 'header_text_named_params'),
    ...positional(own(ofBody, 'body_text'), 'BODY', card, facts),
    ...named(ofBody, 'body_text_named_params'),
    ...buttons.flatMap(({ sample }) => (sample ? [[sample.key, sample.value] as const] : [])),
  ])
}
