/**
 * Measures what logins cost others: reads at a steady pace, alone and while logins arrive, on the same gateway in
 * turns.
 */
import { Agent, request, type IncomingHttpHeaders } from 'node:http'
import { at, type Server } from '../programs.ts'
import type { Ask } from '../load.ts'

/** Logins that arrive per second. */
const LOGINS_PER_SECOND = 20
/** Tries per account: fewer than an account may fail from one address within 15 minutes. */
export const TRIES_OF_ACCOUNT = 9
/** Our choice: far below what the gateway can do, so that waiting is measured and not its limit. */
const READS_PER_SECOND = 100

export interface LoginCost {
  /** p99 of reads alone, in ms. */
  readonly aloneP99: number
  /** p99 of reads while logins arrive, in ms. */
  readonly amongP99: number
  /** The longest of those reads, in ms. */
  readonly amongMax: number
  /** Logins that were hashed and refused, and logins that were answered BUSY at once. */
  readonly hashed: number
  readonly busy: number
  /** Medians of logins one by one, in ms: of an unknown address, and of a wrong password. */
  readonly unknownP50: number
  readonly wrongP50: number
}

/** Sends at a fixed pace, however long answers take; waits for all answers. */
async function paced<T>(perSecond: number, seconds: number, send: (index: number) => Promise<T>): Promise<T[]> {
  const sent: Promise<T>[] = []
  const startMs = performance.now()
  while (sent.length < perSecond * seconds) {
    const dueMs = startMs + (sent.length * 1_000) / perSecond
    const waitMs = dueMs - performance.now()
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
    sent.push(send(sent.length))
  }
  return Promise.all(sent)
}

interface Timed {
  readonly status: number
  readonly ms: number
}

function timed(
  agent: Agent,
  port: number,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: string,
): Promise<Timed & { readonly headers: IncomingHttpHeaders }> {
  const fromMs = performance.now()
  return new Promise((resolve, reject) => {
    const asked = request({ agent, host: '127.0.0.1', port, method, path, headers }, (response) => {
      response.resume()
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, ms: performance.now() - fromMs, headers: response.headers }),
      )
    })
    asked.once('error', reject)
    asked.end(body)
  })
}

function p99(answers: readonly Timed[]): number {
  return at(
    answers.map(({ ms }) => ms).toSorted((a, b) => a - b),
    0.99,
  )
}

/**
 * Measures on a running gateway. `read` must be answered 2xx; `emails` are of people with passwords, and each is tried
 * TRIES_OF_ACCOUNT times. The other logins come from one address and name accounts that do not exist: each one that is
 * not BUSY costs a hash, as any login does.
 */
export async function measureLogins(
  { port }: Server,
  read: Ask,
  emails: readonly string[],
  seconds: number,
): Promise<LoginCost> {
  const agent = new Agent({ keepAlive: true })
  const reads = () => paced(READS_PER_SECOND, seconds, () => timed(agent, port, 'GET', read.path, read.headers))
  const logIn = (who: string) =>
    timed(
      agent,
      port,
      'POST',
      '/api/session',
      { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      JSON.stringify({ email: who, password: "a password that is nobody's" }),
    )
  try {
    await reads()
    const alone = await reads()
    const [among, logins] = await Promise.all([
      reads(),
      paced(LOGINS_PER_SECOND, seconds, (index) => logIn(`nobody.${index}@example.com`)),
    ])
    const failed = [...alone, ...among].find(({ status }) => status < 200 || status > 299)
    if (failed) throw new Error(`a read was answered ${failed.status}`)
    const [unknown, wrong]: [number[], number[]] = [[], []]
    for (const [index, email] of emails.entries()) {
      for (let i = 0; i < TRIES_OF_ACCOUNT; i++) {
        unknown.push((await logIn(`somebody.${index}@example.com`)).ms)
        wrong.push((await logIn(email)).ms)
      }
    }
    const middle = (all: number[]) =>
      at(
        all.toSorted((a, b) => a - b),
        0.5,
      )
    return {
      aloneP99: p99(alone),
      amongP99: p99(among),
      amongMax: Math.max(...among.map(({ ms }) => ms)),
      hashed: logins.filter(({ status }) => status === 401).length,
      busy: logins.filter(({ status }) => status === 503).length,
      unknownP50: middle(unknown),
      wrongP50: middle(wrong),
    }
  } finally {
    agent.destroy()
  }
}
