import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Clock, Timer } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import { faultLine, StartFault } from './start-fault.ts'

/** A child program's first message: it listens, and on which ports. */
export interface Listening {
  readonly type: 'listening'
  readonly [port: string]: unknown
}

/** Instead of it: why the operator's environment keeps it from starting. */
interface Failed {
  readonly type: 'failed'
  readonly line: string
}

export interface ChildSpec {
  /** For logs: `media-host`, `sandbox`. */
  readonly name: string
  /** The program's main file. */
  readonly file: URL
  /** Environment of each start; `last` is what the previous start reported, so that ports stay the same. */
  env(last: Listening | null): Record<string, string>
  /** How long it may take to end once it was told to, ms; unset: 5 s. */
  readonly stopMs?: number
  /** How long it may take until it listens, ms; unset: 60 s. */
  readonly startMs?: number
}

/** What a parent tells a child that is to end. */
const STOP = { type: 'stop' } as const
/** Tells a program that another one started it and says when it is to end. */
const SUPERVISED = 'SUPERVISED'

export interface SupervisedChild {
  /** What the current or latest start reported. */
  readonly listening: Listening
  readonly pid: number | undefined
  /** Tells it to end, and SIGKILL after 5 s or what its spec says. Idempotent. */
  stop(): Promise<void>
  /** Lets a child that is stopping, and takes its time, know that nobody waits: to it its parent is gone. */
  hurry(): void
}

/** our choice: a child that dies is started again after 100 ms, doubling to 5 s while it keeps dying young. */
const FIRST_RESTART_MS = 100
const MAX_RESTART_MS = 5_000
const YOUNG_MS = 10_000
const STOP_MS = 5_000
const START_MS = 60_000

function isListening(message: unknown): message is Listening {
  return typeof message === 'object' && message !== null && 'type' in message && message.type === 'listening'
}

function isStop(message: unknown): boolean {
  return typeof message === 'object' && message !== null && 'type' in message && message.type === STOP.type
}

function isFailed(message: unknown): message is Failed {
  return typeof message === 'object' && message !== null && 'type' in message && message.type === 'failed'
}

/** Ends a child program that cannot start; its parent is told why, or who looks on. */
export function failStart(name: string, error: unknown): void {
  const line = faultLine(error)
  if (line !== null && process.send) process.send({ type: 'failed', line } satisfies Failed, () => process.exit(1))
  else {
    process.stderr.write(`${line ?? `${name} did not start: ${String(error)}`}\n`)
    process.exit(1)
  }
}

/** Why a program ends: a signal, the word of its parent, or that its parent is gone. */
export type EndReason = 'SIGTERM' | 'SIGINT' | 'parent' | 'parent gone'

/**
 * Calls `asked` whenever the program is told to end, or its parent is gone. A signal may reach all programs of a
 * terminal or a process group at once: a child that is supervised leaves it to its parent, which closes what it has in
 * order, and tells it by a message.
 */
export function onEnd(asked: (reason: EndReason) => void): void {
  const isSupervised = process.connected && process.env[SUPERVISED] === '1'
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, isSupervised ? () => {} : () => asked(signal))
  if (isSupervised) process.on('message', (message) => (isStop(message) ? asked('parent') : undefined))
  process.once('disconnect', () => asked('parent gone'))
}

/** What the environment of a child says of it. */
export function supervised(environment: Readonly<Record<string, string>>): Record<string, string> {
  return { ...environment, [SUPERVISED]: '1' }
}

/**
 * Tells a child to end. One that is still starting hears no message, and ends by the signal, which the others leave to
 * their parent.
 */
export function tellToEnd(child: ChildProcess): void {
  if (child.connected) child.send(STOP, () => {})
  child.kill('SIGTERM')
}

/**
 * How much room Node gives to young objects is for a gateway alone: with it a call takes a media host twice the memory,
 * and no less CPU (measured).
 */
const YOUNG_OBJECTS = '--max-semi-space-size'

function launch(spec: ChildSpec, last: Listening | null): { child: ChildProcess; ready: Promise<Listening> } {
  const execArgv = process.execArgv.filter((flag) => !flag.startsWith(YOUNG_OBJECTS))
  const child = fork(spec.file, [], {
    env: supervised({ PATH: process.env['PATH'] ?? '', ...spec.env(last) }),
    execArgv,
  })
  const { startMs = START_MS } = spec
  const ready = new Promise<Listening>((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`${spec.name} did not listen within ${startMs} ms`)), startMs)
    child.on('message', (message) => {
      if (isFailed(message)) reject(new StartFault(message.line))
      if (!isListening(message)) return
      clearTimeout(late)
      resolve(message)
    })
    child.once('exit', (code, signal) => {
      clearTimeout(late)
      reject(new Error(`${spec.name} ended before it listened (${signal ?? code})`))
    })
    child.once('error', reject)
  })
  ready.catch(() => child.kill('SIGKILL'))
  return { child, ready }
}

/** Starts a child program, waits until it listens, and starts it again whenever it dies. */
export async function superviseChild(spec: ChildSpec, clock: Clock, log: Log): Promise<SupervisedChild> {
  let current = launch(spec, null)
  let listening = await current.ready
  let isStopping = false
  let restartMs = FIRST_RESTART_MS
  let restart: Timer | null = null

  function watch(child: ChildProcess): void {
    const startedMs = clock.monotonicMs()
    child.once('exit', (code, signal) => {
      if (isStopping) return
      if (clock.monotonicMs() - startedMs > YOUNG_MS) restartMs = FIRST_RESTART_MS
      log.error({ child: spec.name, code, signal, restartMs }, 'child program ended, starting it again')
      restart = clock.after(restartMs, startAgain)
      restartMs = Math.min(MAX_RESTART_MS, restartMs * 2)
    })
  }

  function startAgain(): void {
    if (isStopping) return
    current = launch(spec, listening)
    watch(current.child)
    current.ready.then(
      (message) => {
        listening = message
      },
      (error: unknown) => {
        log.error({ child: spec.name, error: String(error) }, 'child program did not start')
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
      await terminate(current.child, spec.stopMs ?? STOP_MS)
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
