/** Where spans are sent, and how many. */
export interface TraceSettings {
  /** Address of the collector that takes spans by OTLP over HTTP, without /v1/traces and a final slash. */
  readonly endpoint: string
  /** Headers of each request to it; they may hold its key. */
  readonly headers: Readonly<Record<string, string>>
  /** The share of what arrives without a trace of its own that is recorded, from 0 to 1. */
  readonly share: number
}

const HEADER = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

/**
 * Reads headers as OpenTelemetry writes them: `name=value`, comma-separated, each value percent-encoded. Null when the
 * text is none.
 */
export function readOtlpHeaders(text: string): Record<string, string> | null {
  const parts = text.split(',').filter((part) => part.trim() !== '')
  const headers = parts.map(readHeader)
  return headers.includes(null) ? null : Object.fromEntries(headers.filter((header) => header !== null))
}

function readHeader(text: string): readonly [name: string, value: string] | null {
  const [, name = '', value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? []
  if (!HEADER.test(name.trim())) return null
  try {
    const decoded = decodeURIComponent(value.trim())
    return /^[\x20-\x7e]*$/.test(decoded) ? [name.trim(), decoded] : null
  } catch {
    return null
  }
}
