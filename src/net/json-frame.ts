import type { RawData } from 'ws'

/** Reads a text frame; null when it is no JSON object. */
export function parseFrame(data: RawData): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(textOf(data))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    return null
  }
}

/** The size of a frame in bytes. */
export function sizeOf(data: RawData): number {
  return Array.isArray(data) ? data.reduce((sum, { length }) => sum + length, 0) : data.byteLength
}

function textOf(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString('utf8')
  return Buffer.isBuffer(data) ? data.toString('utf8') : Buffer.from(data).toString('utf8')
}
