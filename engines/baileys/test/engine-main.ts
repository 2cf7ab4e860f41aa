/** The engine as its tests start it: it trusts the offline network (NETWORK_ROOT_KEY, hex) instead of the live one. Nothing else differs. */
import { WA_CERT_DETAILS } from 'baileys'

const rootKey = process.env['NETWORK_ROOT_KEY'] ?? ''
if (!/^[0-9a-f]{64}$/.test(rootKey)) throw new Error('NETWORK_ROOT_KEY: 32 bytes as hexadecimal digits, as the offline network tells them')
WA_CERT_DETAILS.PUBLIC_KEY = Buffer.from(rootKey, 'hex')

await import(new URL('../main.ts', import.meta.url).href)
