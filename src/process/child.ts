import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Clock, Timer } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import { faultLine, StartFault } from './start-fault.ts'

/** A child program's first message: it listens, on these ports. */
export interface Listening {
  readonly type: 'listening'
  readonly [port: string]: unknown
}

/** The first message of a child that cannot start: the fault in the operator's environment. */
interface Failed {
  readonly type: 'failed'
  readonly line: string
}

export interface ChildSpec {
  /** Name of the child in logs, such as `media-host` or `sandbox`. */
  readonly name: string
  /** The program's main file. */
  readonly file: URL
  /** Environment of each start; `last` is what the previous start reported, so that ports stay the same. */
  env(last: Listening | null): Record<string, string>
  /** How long the child may take to end after it was told to, in ms. Default 5 s. */
  readonly stopMs?: number
  /** How long the child may take until it listens, in ms. Default 180 s. */
  readonly startMs?: number
}

/** The message by which a parent tells its child to end. */
const STOP = { type: 'stop' } as const
/** The environment variable that tells a program that a parent started it and will tell it when to end. */
const SUPERVISED = 'SUPERVISED'

export interface SupervisedChild {
  /** What the current or latest start reported. */
  readonly listening: Listening
  readonly pid: number | undefined
  /** Tells the child to end, and sends SIGKILL after 5 s or the program's `stopMs`. Idempotent. */
  stop(): Promise<void>
  /**
   * Tells a child that takes its time to stop that nobody waits any longer: it then ends as if its parent were gone.
   */
  hurry(): void
}

/** our choice: a child that dies is started again after 100 ms, doubling to 5 s while it keeps dying young. */
const FIRST_RESTART_MS = 100
const MAX_RESTART_MS = 5_000
const YOUNG_MS = 10_000
const STOP_MS = 5_000
/** our choice: longer than opening the database may take (OPEN_MS of src/storage/engine/patience.ts). */
const START_MS = 180_000

function isListening(message: unknown): message is Listening {
  return typeof message === 'object' && message !== null && 'type' in message && message.type === 'listening'
}

function isStop(message: unknown): boolean {
  return typeof message === 'object' && message !== null && 'type' in message && message.type === STOP.type
}

function isFailed(message: unknown): message is Failed {
  return typeof message === 'object' && message !== null && 'type' in message && message.type === 'failed'
}

/** Ends a child program that cannot start. The fault goes to its parent, or to stderr without one. */
export function failStart(name: string, error: unknown): void {
  const line = faultLine(error)
  if (line !== null && process.send) process.send({ type: 'failed', line } satisfies Failed, () => process.exit(1))
  else {
    process.stderr.write(`${line ?? `${name} did not start: ${String(error)}`}\n`)
    process.exit(1)
  }
}

/** Why a program ends: a signal, its parent's message, or the end of its parent. */
export type EndReason = 'SIGTERM' | 'SIGINT' | 'parent' | 'parent gone'

/**
 * Calls `asked` whenever the program is told to end, or its parent is gone. A signal may reach all programs of a
 * terminal or a process group at once. A supervised child ignores it: its parent closes everything in order, and tells
 * the child by a message.
 */
export function onEnd(asked: (reason: EndReason) => void): void {
  const isSupervised = process.connected && process.env[SUPERVISED] === '1'
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, isSupervised ? () => {} : () => asked(signal))
  if (isSupervised) process.on('message', (message) => (isStop(message) ? asked('parent') : undefined))
  process.once('disconnect', () => asked('parent gone'))
}

/** The environment of a supervised child. */
export function supervised(environment: Readonly<Record<string, string>>): Record<string, string> {
  return { ...environment, [SUPERVISED]: '1' }
}

/**
 * Tells a child to end. A child that is still starting hears no message and ends by the signal, which a started child
 * leaves to its parent.
 */
export function tellToEnd(child: ChildProcess): void {
  if (child.connected) child.send(STOP, () => {})
  child.kill('SIGTERM')
}

/**
 * The room that Node gives to young objects is raised for the gateway alone. With it a media host takes twice the
 * memory for a call, and no less CPU (measured).
 */
const YOUNG_OBJECTS = '--max-semi-space-size'

function launch(program: ChildSpec, last: Listening | null): { child: ChildProcess; ready: Promise<Listening> } {
  const execArgv = process.execArgv.filter((flag) => !flag.startsWith(YOUNG_OBJECTS))
  const child = fork(program.file, [], {
    env: supervised({ PATH: process.env['PATH'] ?? '', ...program.env(last) }),
    execArgv,
  })
  const { startMs = START_MS } = program
  const ready = new Promise<Listening>((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`${program.name} did not listen within ${startMs} ms`)), startMs)
    child.on('message', (message) => {
      if (isFailed(message)) reject(new StartFault(message.line))
      if (!isListening(message)) return
      clearTimeout(late)
      resolve(message)
    })
    child.once('exit', (code, signal) => {
      clearTimeout(late)
      reject(new Error(`${program.name} ended before it listened (${signal ?? code})`))
    })
    child.once('error', reject)
  })
  ready.catch(() => child.kill('SIGKILL'))
  return { child, ready }
}

/** Starts a child program, waits until it listens, and starts it again whenever it dies. */
export async function superviseChild(program: ChildSpec, clock: Clock, log: Log): Promise<SupervisedChild> {
  let current = launch(program, null)
  let listening = await current.ready
  let isStopping = false
  let restartMs = FIRST_RESTART_MS
  let restart: Timer | null = null

  function watch(child: ChildProcess): void {
    const startedMs = clock.monotonicMs()
    child.once('exit', (code, signal) => {
      if (isStopping) return
      if (clock.monotonicMs() - startedMs > YOUNG_MS) restartMs = FIRST_RESTART_MS
      log.error({ child: program.name, code, signal, restartMs }, 'child program ended, starting it again')
      restart = clock.after(restartMs, startAgain)
      restartMs = Math.min(MAX_RESTART_MS, restartMs * 2)
    })
  }

  function startAgain(): void {
    if (isStopping) return
    current = launch(program, listening)
    watch(current.child)
    current.ready.then(
      (message) => {
        listening = message
      },
      (error: unknown) => {
        log.error({ child: program.name, error: String(error) }, 'child program did not start')
      },
    )
  }

  watch(current.child)
  return {
    get listening() {
      return listening
    },
    get pid() {
      return current.child.pid
    },
    async stop() {
      if (isStopping) return
      isStopping = true
      restart?.cancel()
      await terminate(current.child, program.stopMs ?? STOP_MS)
    },
    hurry() {
      if (isStopping && current.child.connected) current.child.disconnect()
    },
  }
}

async function terminate(child: ChildProcess, stopMs: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  const force = setTimeout(() => child.kill('SIGKILL'), stopMs)
  tellToEnd(child)
  await exited
  clearTimeout(force)
}
