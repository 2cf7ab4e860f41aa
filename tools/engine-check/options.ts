import { parseArgs } from 'node:util'
import { phoneDigits } from '../../src/domain/phone-reading.ts'

export const USAGE = `usage: npm run engine:check -- --url ws://... --token ... [options]

Checks an engine against the device bridge protocol, one line per check, and ends with 0 only
when all hold. docs/engines.md says what each check stands for.

  --url URL            of the bridge, as in DEVICE_BRIDGE_URL: ws://127.0.0.1:3005
  --token TOKEN        as in DEVICE_BRIDGE_TOKEN
  --number DIGITS      of the phone that will be paired; without it only the handshake is checked
  --scan-url URL       where to post {number, qr, pairingCode} so that a simulated phone scans; without
                       it the code is drawn here, and you scan it
  --peer DIGITS        somebody to write to: looked up, sent to
  --reply              the peer writes back: by itself, or you do when told to
  --calls              calls the peer, who answers; audio both ways
  --rotation           waits until the first code runs out, and for what comes then (a minute or so)
  --takeover           has the engine at --url killed, and another one of its fleet go on with the number
  --other URL          of --takeover: another engine of the fleet; repeated, or with commas, for more
  --kill-url URL       of --takeover: where to post {number, url} so that the engine at that url is killed,
                       kill -9; answered once it is gone. Without it you are told to kill it
  --media-address IP   that the engine reaches this machine by, for audio; default 127.0.0.1
  --patience SECONDS   for each answer and each event; default 15. A takeover has 30, or this if longer
  --json               one line of JSON per check
  --help               this text

It pairs a session of its own, and unlinks it at the end. What it sends is marked as a check.

examples:
  npm run engine:check -- --url ws://127.0.0.1:3005 --token secret
  npm run engine:check -- --url ws://127.0.0.1:3005 --token secret --number 5511988887777 --peer 5511990000005 --reply
  npm run engine:check -- --url ws://10.0.0.1:3005 --token secret --number 5511988887777 --peer 5511990000005 \\
    --takeover --other ws://10.0.0.2:3005 --other ws://10.0.0.3:3005
`

/** The command line is wrong; the message says what to do. */
export class UsageError extends Error {}

/** A number that moves to another engine of its fleet. */
export interface TakeoverOptions {
  /** The other engines, as `url` of the options; at least one. */
  readonly others: readonly string[]
  /** Where the death of the number's engine is asked for; null when a person is. */
  readonly killUrl: string | null
}

export interface CheckOptions {
  /** Without a slash at the end. */
  readonly url: string
  readonly token: string
  /** Digits only, like `peer`; null when the command line names none. */
  readonly number: string | null
  readonly peer: string | null
  readonly scanUrl: string | null
  readonly isReplyAsked: boolean
  readonly areCallsAsked: boolean
  readonly isRotationAsked: boolean
  /** Null when no takeover is asked for. */
  readonly takeover: TakeoverOptions | null
  readonly mediaAddress: string
  readonly patienceMs: number
  readonly isJson: boolean
}

const FLAGS = {
  url: { type: 'string' },
  token: { type: 'string' },
  number: { type: 'string' },
  peer: { type: 'string' },
  'scan-url': { type: 'string' },
  reply: { type: 'boolean' },
  calls: { type: 'boolean' },
  rotation: { type: 'boolean' },
  takeover: { type: 'boolean' },
  other: { type: 'string', multiple: true },
  'kill-url': { type: 'string' },
  'media-address': { type: 'string' },
  patience: { type: 'string' },
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

function readAddress(flag: string, text: string, schemes: RegExp, example: string): string {
  if (!URL.canParse(text) || !schemes.test(new URL(text).protocol))
    throw new UsageError(`${flag} takes a URL like ${example}, not "${text}"`)
  return text.replace(/\/+$/, '')
}

function readDigits(flag: string, text: string | undefined): string | null {
  if (text === undefined) return null
  const digits = phoneDigits(text)
  if (digits === null)
    throw new UsageError(`${flag} takes a phone number with its country code, like 5511988887777, not "${text}"`)
  return digits
}

function readPatience(text: string | undefined): number {
  const seconds = Number(text ?? DEFAULT_PATIENCE_SECONDS)
  if (!(seconds > 0 && seconds <= 600))
    throw new UsageError(`--patience takes seconds, more than 0 and at most 600, not "${text}"`)
  return seconds * 1_000
}

/** our choice: longer than the gateway waits for any answer (10 s). */
const DEFAULT_PATIENCE_SECONDS = 15

type Flags = ReturnType<typeof readFlags>

function readBridge(flag: string, text: string): string {
  return readAddress(flag, text, /^wss?:$/, 'ws://127.0.0.1:3005')
}

function readControl(flag: string, text: string | undefined, example: string): string | null {
  return text === undefined ? null : readAddress(flag, text, /^https?:$/, example)
}

/** Refuses options that say nothing without another one. */
function assertComplete(flags: Flags, number: string | null, peer: string | null): void {
  if (peer !== null && number === null) throw new UsageError('--peer is written to by a number: give --number too')
  if (flags['scan-url'] !== undefined && number === null)
    throw new UsageError('--scan-url scans for a number: give --number too')
  if ((flags.reply || flags.calls) && peer === null)
    throw new UsageError('--reply and --calls are of a peer: give --peer too')
  if (flags.takeover && number === null) throw new UsageError('--takeover is of a number: give --number too')
  if (flags.takeover && flags.other === undefined)
    throw new UsageError(
      '--takeover needs another engine of the fleet: give its address, as in --other ws://127.0.0.1:3006',
    )
  if (!flags.takeover && (flags.other !== undefined || flags['kill-url'] !== undefined))
    throw new UsageError('--other and --kill-url are of a takeover: give --takeover too')
}

function readTakeover(flags: Flags, url: string): TakeoverOptions | null {
  if (!flags.takeover) return null
  const others = (flags.other ?? [])
    .flatMap((list) => list.split(','))
    .map((text) => readBridge('--other', text.trim()))
  if (others.includes(url))
    throw new UsageError('--other takes engines beside that of --url, which is killed: give another address')
  return {
    others: [...new Set(others)],
    killUrl: readControl('--kill-url', flags['kill-url'], 'http://127.0.0.1:4000/kill'),
  }
}

/** Reads the command line; null when it asks for help. Throws a UsageError. */
export function readOptions(args: readonly string[]): CheckOptions | null {
  const flags = readFlags(args)
  if (flags.help) return null
  if (flags.url === undefined)
    throw new UsageError('--url is missing: give the address of the bridge, as in --url ws://127.0.0.1:3005')
  if (!flags.token)
    throw new UsageError('--token is missing: give what the engine expects of a gateway, as in --token secret')
  const [number, peer] = [readDigits('--number', flags.number), readDigits('--peer', flags.peer)]
  assertComplete(flags, number, peer)
  const url = readBridge('--url', flags.url)
  return {
    url,
    token: flags.token,
    number,
    peer,
    scanUrl: readControl('--scan-url', flags['scan-url'], 'http://127.0.0.1:3002/control/devices/5511988887777/scan'),
    isReplyAsked: flags.reply ?? false,
    areCallsAsked: flags.calls ?? false,
    isRotationAsked: flags.rotation ?? false,
    takeover: readTakeover(flags, url),
    mediaAddress: flags['media-address'] ?? '127.0.0.1',
    patienceMs: readPatience(flags.patience),
    isJson: flags.json ?? false,
  }
}
