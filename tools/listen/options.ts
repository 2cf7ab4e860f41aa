import { parseArgs } from 'node:util'
import { isEventName } from '../../src/domain/events.ts'

export const USAGE = `usage: npm run listen -- --key cms_... [options]

Shows the events of a number, or of all numbers of a tenant, as they are stored.

  --key cms_...        number key (its events) or tenant key (those of all numbers)
  --url URL            the service; default http://localhost:3000
  --event NAME         only events of this name, like call.ended
  --after evt_...      go on after this event, however long ago (30 days are kept)
  --all                begin with the oldest event instead of the next one
  --forward URL        post each event to this address as the service would: same body, same
                       headers, signed; up to 3 tries, then it is reported and passed over
  --secret whsec_...   signs what is forwarded; left out, one is made and shown
  --json               one event a line as JSON on stdout, everything else on stderr
  --help               this text

Without --after or --all it begins with the next event. When it ends it names the last event
shown, so that --after can go on there. A service that restarts is waited for.

examples:
  npm run listen -- --key cms_... --event call.ended
  npm run listen -- --key cms_... --forward http://localhost:4000/hook
  npm run listen -- --key cms_... --all --json | jq .data.status
`

/** The command line is wrong; the message says what to do. */
export class UsageError extends Error {}

export interface ListenOptions {
  readonly key: string
  /** Without a slash at the end. */
  readonly url: string
  readonly event: string | null
  readonly after: string | null
  readonly isFromOldest: boolean
  readonly forwardTo: string | null
  readonly secret: string | null
  readonly isJson: boolean
}

const FLAGS = {
  key: { type: 'string' },
  url: { type: 'string' },
  event: { type: 'string' },
  after: { type: 'string' },
  all: { type: 'boolean' },
  forward: { type: 'string' },
  secret: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean' },
} as const

function readFlags(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: FLAGS }).values
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

function readAddress(flag: string, text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new UsageError(`${flag} takes a URL like http://localhost:3000, not "${text}"`)
  return text.replace(/\/+$/, '')
}

/** Checks a webhook secret: 24 to 64 bytes in base64 (Standard Webhooks). */
function readSecret(text: string): string {
  const bytes = Buffer.from(text.slice('whsec_'.length), 'base64').byteLength
  if (!/^whsec_[A-Za-z0-9+/]+=*$/.test(text) || bytes < 24 || bytes > 64) {
    throw new UsageError('--secret takes whsec_ and 24 to 64 bytes in base64; leave it out and one is made')
  }
  return text
}

/** Reads the command line; null when it asks for help. Throws a UsageError. */
export function readOptions(args: readonly string[]): ListenOptions | null {
  const flags = readFlags(args)
  if (flags.help) return null
  if (!flags.key) throw new UsageError('--key is missing: give a number key or the tenant key, as in --key cms_...')
  if (!flags.key.startsWith('cms_'))
    throw new UsageError('--key takes a raw key, which begins with cms_; it was shown when it was made')
  if (flags.event !== undefined && !isEventName(flags.event)) {
    throw new UsageError(`--event does not know "${flags.event}"; names look like call.ended or number.connected`)
  }
  if (flags.after !== undefined && !/^evt_[0-9a-z]{26}$/.test(flags.after))
    throw new UsageError('--after takes the id of an event, like evt_01j...')
  if (flags.after !== undefined && flags.all) throw new UsageError('--after and --all exclude each other')
  if (flags.secret !== undefined && flags.forward === undefined)
    throw new UsageError('--secret signs what is forwarded; give --forward too')
  return {
    key: flags.key,
    url: readAddress('--url', flags.url ?? 'http://localhost:3000'),
    event: flags.event ?? null,
    after: flags.after ?? null,
    isFromOldest: flags.all ?? false,
    forwardTo: flags.forward === undefined ? null : readAddress('--forward', flags.forward),
    secret: flags.secret === undefined ? null : readSecret(flags.secret),
    isJson: flags.json ?? false,
  }
}
