import type { Fields } from '../../../../src/domain/json-fields.ts'
import { locate, placesOf, type Path, type Place, type Site } from './place.ts'

/** our choice: most faults of one document that are reported. */
const MAX_FAULTS = 1_000

/** Upstream's names of errors of form; all others are errors of content. */
const OF_SCHEMA: ReadonlySet<string> = new Set([
  'INVALID_PROPERTY_KEY',
  'INVALID_PROPERTY_TYPE',
  'MISSING_REQUIRED_PROPERTY',
  'MISSING_REQUIRED_TYPE_PROPERTY',
  'MIN_ITEMS_REQUIRED',
  'PATTERN_MISMATCH',
])

interface Fault {
  readonly error: string
  readonly message: string
  readonly path: Path
  /** True when the key is wrong, and not its value. */
  readonly isKey: boolean
}

/** `screens[0].layout.children[2].type`. */
function pathText(path: Path): string {
  return path.map((step, at) => (typeof step === 'number' ? `[${step}]` : at === 0 ? step : `.${step}`)).join('')
}

/** A path in the form of upstream's messages: `$root/screens/0/layout`. */
export function rootedText(path: Path): string {
  return ['$root', ...path].join('/')
}

function itemOf(error: string, message: string, from: Place, to: Place, path: string): Fields {
  const place = { line_start: from.line, line_end: to.line, column_start: from.column, column_end: to.column }
  return {
    error,
    error_type: OF_SCHEMA.has(error) ? 'JSON_SCHEMA_ERROR' : 'FLOW_JSON_ERROR',
    message,
    ...place,
    pointers: [{ ...place, path }],
  }
}

/** An error at one place of a text, which may be no JSON. */
export function itemAt(text: string, offset: number, error: string, message: string): Fields {
  const place = placesOf(text, [offset]).get(offset) ?? { line: 1, column: 1 }
  return itemOf(error, message, place, place, '')
}

/** Collects the errors of a document. */
export class Findings {
  readonly #faults: Fault[] = []

  add(error: string, message: string, path: Path, isKey: boolean = false): void {
    if (this.#faults.length < MAX_FAULTS) this.#faults.push({ error, message, path, isKey })
  }

  /**
   * The errors in upstream's form, in the order of the text. Columns count from 1, and the last one belongs to the
   * fault.
   */
  items(text: string): Fields[] {
    const sites = locate(
      text,
      this.#faults.map(({ path }) => path),
    )
    const spans = this.#faults.map(({ isKey }, at) => spanOf(sites[at] ?? null, isKey))
    const places = placesOf(
      text,
      spans.flatMap(({ from, to }) => [from, to - 1]),
    )
    return this.#faults
      .map((fault, at) => ({ fault, span: spans[at] ?? { from: 0, to: 1 } }))
      .toSorted((one, other) => one.span.from - other.span.from)
      .map(({ fault: { error, message, path }, span: { from, to } }) =>
        itemOf(error, message, places.get(from) ?? START, places.get(to - 1) ?? START, pathText(path)),
      )
  }
}

const START: Place = { line: 1, column: 1 }

function spanOf(site: Site | null, isKey: boolean): { readonly from: number; readonly to: number } {
  if (!site) return { from: 0, to: 1 }
  return isKey && site.key ? site.key : site.value
}
