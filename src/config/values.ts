import { readOtlpHeaders } from '../domain/trace-settings.ts'
import { isIP } from 'node:net'
import { z } from 'zod'
import { isWellFormedApiKey } from '../domain/api-key.ts'

export const port = z.coerce.number('must be a port, 0 to 65535').int().min(0).max(65_535)
export const seconds = z.coerce.number('must be seconds').positive().max(3_600)
export const pace = z.coerce.number('must be messages a second').min(0).max(10_000)
/** Waits before each try after the first, in seconds. */
export const waits = z.preprocess(
  (text) => (typeof text === 'string' ? text.split(',') : text),
  z.array(z.coerce.number('must be seconds, comma-separated').nonnegative()).min(1).max(50),
)
export const perMinute = z.coerce.number('must be requests per minute').int().positive().max(10_000_000)
export const onOff = z.enum(['on', 'off'], 'must be on or off')
/** True for an origin as browsers write it, in full; extensions have schemes of their own. */
export const isOrigin = (text: string): boolean => /^[a-z][a-z\d+.-]*:\/\/[^/\s?#@A-Z]+$/.test(text)
export const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
)

export function urlOf(...protocols: string[]) {
  return z.string().refine(
    (text) => {
      return URL.canParse(text) && protocols.includes(new URL(text).protocol)
    },
    `must be a URL starting with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
  )
}

/** True for an address or a CIDR. */
export function isAddressRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const version = isIP(address)
  if (bits === undefined) return version !== 0
  return version !== 0 && rest.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)
}

/** True for an address, a CIDR or a host name. Faults found here name the variable; the guard itself checks more. */
export function isEgressEntry(text: string): boolean {
  return isAddressRange(text) || (/^[\w-]+(\.[\w-]+)*\.?$/.test(text) && !/(^|\.)\d+\.?$/.test(text))
}

/** A WebSocket URL that may hold {port} and {worker}. */
export const workerUrl = z.string().refine((text) => {
  const url = text.replaceAll('{port}', '1').replaceAll('{worker}', '0')
  return URL.canParse(url) && ['ws:', 'wss:'].includes(new URL(url).protocol)
}, 'must be a URL starting with ws:// or wss://, which may hold {port} and {worker}')

/** A key with a wrong checksum would make a tenant whose key is refused as a typo ([keys.form.3]). */
export const apiKey = z
  .string()
  .refine(isWellFormedApiKey, 'must be a key of the form cms_ + 43 characters + the 6 of their check')
export const secret = z.string().min(16, 'must have at least 16 characters')
/** True for one key. Text behind the end of base64 would be ignored, so a forgotten comma would drop a key. */
const isKey = (text: string): boolean => /^[^=]+=?$/.test(text) && Buffer.from(text, 'base64').length === 32
export const encryptionKey = z
  .string()
  .refine(
    (text) => text.split(',').every((key) => isKey(key.trim())),
    'must be 32 bytes in base64, or several of them, comma-separated',
  )
export const portRange = z
  .string()
  .regex(/^\d+-\d+$/, 'must be two ports, like 40000-49999')
  .transform((text) => {
    const [low, high] = text.split('-').map(Number)
    return [low ?? 0, high ?? 0] as const
  })

/** True for `s3://bucket/prefix?endpoint=...&region=...`. */
export function isFilesUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, searchParams, username, hash } = new URL(text)
  const endpoint = searchParams.get('endpoint')
  return (
    protocol === 's3:'
    && /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(hostname)
    && username === ''
    && hash === ''
    && [...searchParams.keys()].every((name) => name === 'endpoint' || name === 'region')
    && (endpoint === null || (URL.canParse(endpoint) && /^https?:$/.test(new URL(endpoint).protocol)))
  )
}

/** Headers as OpenTelemetry writes them. */
export const otlpHeaders = z.string().transform((text, context) => {
  const headers = readOtlpHeaders(text)
  if (headers === null) context.addIssue('must be headers, name=value, comma-separated')
  return headers ?? {}
})
