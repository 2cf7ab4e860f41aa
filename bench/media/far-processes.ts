import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import type { FarAnswer, FarCounts, FarRequest } from './far-messages.ts'
import type { Profile } from './tracks.ts'

/**
 * Our choice: calls per process, so that each process takes less than a third of a core and is not late before the host
 * is.
 */
const CALLS_EACH = 25

type Unnumbered<T> = T extends { readonly id: number } ? Omit<T, 'id'> : never
type Request = Unnumbered<FarRequest>

/** The phones and clients of all calls, in as many processes as they need. */
export class FarProcesses {
  readonly #profile: Profile
  readonly #onStart: (pid: number) => void
  readonly #all: { readonly child: ChildProcess; readonly ask: (request: Request) => Promise<unknown> }[] = []

  /** `onStart` is called for each process, before it has calls. */
  constructor(profile: Profile, onStart: (pid: number) => void = () => {}) {
    this.#profile = profile
    this.#onStart = onStart
  }

  /** Asks the process that plays both ends of this call. */
  async askOf(call: number, request: Request): Promise<unknown> {
    const index = Math.floor(call / CALLS_EACH)
    while (this.#all.length <= index) this.#all.push(await startFar(this.#profile, this.#onStart))
    return this.#all[index]?.ask(request)
  }

  async reset(): Promise<void> {
    await Promise.all(this.#all.map(({ ask }) => ask({ op: 'reset' })))
  }

  /** The counts of all processes together; the lateness is that of the latest one. */
  async counts(): Promise<FarCounts> {
    const all = (await Promise.all(this.#all.map(({ ask }) => ask({ op: 'counts' })))) as FarCounts[]
    const sum = (value: (counts: FarCounts) => number): number =>
      all.reduce((total, counts) => total + value(counts), 0)
    return {
      seconds: Math.max(...all.map(({ seconds }) => seconds)),
      wsFrames: sum(({ wsFrames }) => wsFrames),
      rtpPackets: sum(({ rtpPackets }) => rtpPackets),
      rtpMissing: sum(({ rtpMissing }) => rtpMissing),
      wsToRtpMs: all.flatMap(({ wsToRtpMs }) => wsToRtpMs),
      rtpToWsMs: all.flatMap(({ rtpToWsMs }) => rtpToWsMs),
      farLateP99Ms: Math.max(...all.map(({ farLateP99Ms }) => farLateP99Ms)),
      cpuMs: sum(({ cpuMs }) => cpuMs),
    }
  }

  stop(): void {
    for (const { child } of this.#all) child.disconnect()
  }
}

async function startFar(profile: Profile, onStart: (pid: number) => void) {
  const child = fork(new URL('far.ts', import.meta.url), [profile], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  let lastId = 0
  child.on('message', (answer: FarAnswer) => {
    const asked = waiting.get(answer.re)
    waiting.delete(answer.re)
    if ('error' in answer) asked?.reject(new Error(answer.error))
    else asked?.resolve(answer.value)
  })
  const ask = (request: Request): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const id = ++lastId
      waiting.set(id, { resolve, reject })
      child.send({ id, ...request })
    })
  // The process says that it is ready as the answer to request 0.
  await new Promise((resolve, reject) => waiting.set(0, { resolve, reject }))
  if (child.pid !== undefined) onStart(child.pid)
  return { child, ask }
}
