/** The examples, and how each is started and connected to a number. */
import { fileURLToPath } from 'node:url'

/** What becomes of an inbound call: the setting `voice` of the number that the example answers, but its address. */
export interface Connected {
  readonly dialect: 'native' | 'twilio' | 'vonage'
  readonly rate?: 8_000 | 16_000 | 24_000
}

export interface Example {
  readonly folder: string
  /** The command that starts it, in its folder. */
  readonly command: readonly [string, ...string[]]
  /** A package of its own that `npm ci` of this repository does not install; null when there is none. */
  readonly proof: string | null
  /** What a peer says that calls it for `--once`; `silence` where its own voice would interrupt the bot. */
  readonly peer: 'silence' | 'tone'
  /**
   * Null: calls are not connected to the example. It is given the key of the number, as `KEY`, and does what it does by
   * that.
   */
  readonly connected: Connected | null
  /** True: it does one piece of work, and ends. */
  readonly isTask: boolean
}

const NODE = [process.execPath, '--disable-warning=ExperimentalWarning', 'main.ts'] as const
const folderOf = (name: string) => fileURLToPath(new URL(name, import.meta.url))

const EXAMPLES: Readonly<Record<string, Omit<Example, 'folder' | 'isTask'> & { readonly isTask?: true }>> = {
  openai: { command: NODE, proof: '@openai/agents-extensions', connected: { dialect: 'twilio' }, peer: 'silence' },
  pipeline: { command: NODE, proof: null, connected: { dialect: 'vonage', rate: 16_000 }, peer: 'silence' },
  vonage: {
    command: [process.execPath, 'main.js'],
    proof: 'express-ws',
    connected: { dialect: 'vonage', rate: 16_000 },
    peer: 'tone',
  },
  ivr: { command: NODE, proof: null, connected: { dialect: 'native', rate: 16_000 }, peer: 'silence' },
  python: {
    command: [process.env['PYTHON'] ?? 'python3', 'main.py'],
    proof: null,
    connected: { dialect: 'native', rate: 16_000 },
    peer: 'tone',
  },
  browser: { command: NODE, proof: null, connected: null, peer: 'silence' },
  langchain: { command: NODE, proof: '@langchain/openai', connected: null, peer: 'silence', isTask: true },
}

export const NAMES: readonly string[] = Object.keys(EXAMPLES)

/** The example of that name; null when there is none. */
export function exampleOf(name: string | undefined): Example | null {
  const example = name !== undefined && Object.hasOwn(EXAMPLES, name) ? EXAMPLES[name] : undefined
  return example ? { isTask: false, ...example, folder: folderOf(name ?? '') } : null
}

/** Examples whose packages `npm ci` of this repository does not install. */
export function withPackages(): Example[] {
  return NAMES.flatMap((name) => exampleOf(name) ?? []).filter(({ proof }) => proof !== null)
}
