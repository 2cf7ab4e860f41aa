/**
 * The engine as its tests start it: it trusts the offline network (NETWORK_ROOT_KEY, hex) instead of the live one, and
 * ends when its standard input ends (ENGINE_FOLLOW_STDIN=1). Nothing else differs.
 */
import { WA_CERT_DETAILS } from 'baileys'

const rootKey = process.env['NETWORK_ROOT_KEY'] ?? ''
if (!/^[0-9a-f]{64}$/.test(rootKey))
  throw new Error('NETWORK_ROOT_KEY: 32 bytes as hexadecimal digits, as the offline network tells them')
WA_CERT_DETAILS.PUBLIC_KEY = Buffer.from(rootKey, 'hex')

// The engine ends with the pipes of its test, so that an interrupted test leaves none behind.
if (process.env['ENGINE_FOLLOW_STDIN'] === '1') process.stdin.once('end', () => process.exit()).resume()

await import(new URL('../main.ts', import.meta.url).href)
