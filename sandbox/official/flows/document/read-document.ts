import { isFields, type Fields } from '../../../../src/domain/json-fields.ts'
import { checkDocument } from './check-document.ts'
import { Findings, itemAt } from './findings.ts'
import { faultOfJson } from './json-fault.ts'

/** A document as it came, and the errors found in it. */
export interface FlowDocument {
  readonly bytes: Buffer
  /** Version of the document; null when it names none. */
  readonly version: string | null
  /** True when it asks an endpoint for data. */
  readonly hasEndpoint: boolean
  readonly errors: readonly Fields[]
}

const NO_JSON = 'INVALID_FLOW_JSON'

/** Parses a text; undefined when it is no JSON. The parser's message is not used, because it names no place. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Reads a document and finds its errors. A byte order mark before it is not part of it. */
export function readDocument(bytes: Buffer): FlowDocument {
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '')
  const none = (offset: number, reason: string): FlowDocument => ({
    bytes,
    version: null,
    hasEndpoint: false,
    errors: [itemAt(text, offset, NO_JSON, `Flow JSON is not valid. ${reason}.`)],
  })
  const document = parsed(text)
  if (document === undefined) {
    const { offset, reason } = faultOfJson(text) ?? { offset: 0, reason: 'It cannot be read' }
    return none(offset, reason)
  }
  if (!isFields(document)) return none(text.search(/\S/), 'It is no object')
  const findings = new Findings()
  const facts = checkDocument(findings, document)
  return { bytes, ...facts, errors: findings.items(text) }
}
