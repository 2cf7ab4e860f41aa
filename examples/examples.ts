/** The examples, and how each is started and connected to a number. */
import { fileURLToPath } from 'node:url'

/** What becomes of an inbound call: the setting `voice` of the number that the example answers, but its address. */
export interface Connected {
  readonly dialect: 'native' | 'twilio' | 'vonage'
  readonly rate?: 8_000 | 16_000 | 24_000
}

type Command = readonly [string, ...string[]]

export interface Example {
  readonly folder: string
  /** The command that starts it, in its folder. */
  readonly command: Command
  /** The command that builds it, in its folder, each time before it is started; null when nothing is built. */
  readonly build: Command | null
  /** A package of its own that `npm ci` of this repository does not install; null when there is none. */
  readonly proof: string | null
  /**
   * What a peer does for `--once`: it calls and says something, `silence` where its own voice would interrupt the bot;
   * or it writes, and the page of the example shows that.
   */
  readonly peer: 'silence' | 'tone' | 'writes'
  /**
   * Null: calls are not connected to the example. It is given the key of the number, as `KEY`, and does what it does by
   * that.
   */
  readonly connected: Connected | null
  /** True: it does one piece of work, and ends. */
  readonly isTask: boolean
}

const NODE = [process.execPath, '--disable-warning=ExperimentalWarning', 'main.ts'] as const
const NEXT = 'node_modules/next/dist/bin/next'
const folderOf = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** An example as it is listed: nothing is built, and it is no task, where that is not said. */
type Listed = Omit<Example, 'folder' | 'build' | 'isTask'> & { readonly build?: Command; readonly isTask?: true }

const EXAMPLES: Readonly<Record<string, Listed>> = {
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
  livekit: {
    command: NODE,
    proof: '@livekit/agents-plugin-openai',
    connected: { dialect: 'native', rate: 24_000 },
    peer: 'silence',
  },
  browser: { command: NODE, proof: null, connected: null, peer: 'silence' },
  langchain: { command: NODE, proof: '@langchain/openai', connected: null, peer: 'silence', isTask: true },
  nextjs: {
    // Its page opens the inbox for whoever asks: it listens on this machine only.
    command: [process.execPath, NEXT, 'start', '--hostname', 'localhost'],
    build: [process.execPath, NEXT, 'build'],
    proof: 'next',
    connected: null,
    peer: 'writes',
  },
}

export const NAMES: readonly string[] = Object.keys(EXAMPLES)

/** The example of that name; null when there is none. */
export function exampleOf(name: string | undefined): Example | null {
  const example = name !== undefined && Object.hasOwn(EXAMPLES, name) ? EXAMPLES[name] : undefined
  return example ? { build: null, isTask: false, ...example, folder: folderOf(name ?? '') } : null
}

/** Examples whose packages `npm ci` of this repository does not install. */
export function withPackages(): Example[] {
  return NAMES.flatMap((name) => exampleOf(name) ?? []).filter(({ proof }) => proof !== null)
}
