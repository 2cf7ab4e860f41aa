import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { WebSocket, WebSocketServer } from 'ws'
import type { PairedNumber, Service } from './service.ts'
import { until, within } from './until.ts'

/** The program of an example in TypeScript. */
const MAIN = [process.execPath, '--disable-warning=ExperimentalWarning', 'main.ts'] as const
const EXAMPLES = fileURLToPath(new URL('../../examples', import.meta.url))

/** A message on the socket between the service and a bot, in the order in which a relay between them saw it. */
export interface Relayed {
  readonly from: 'service' | 'bot'
  /** Ms since the epoch. */
  readonly atMs: number
  /** The JSON of a text; null for audio. */
  readonly text: any
  readonly audio: Buffer | null
}

/** An example's program, which listens for calls behind a relay that keeps every message. */
export class ExampleBot {
  /** The lines that it printed. */
  readonly said: string[] = []
  readonly relayed: Relayed[] = []
  /** The close codes of the service's sockets. */
  readonly codes: number[] = []
  readonly token: string
  readonly #child: ChildProcess
  readonly #relay: WebSocketServer
  #bot = ''

  private constructor(child: ChildProcess, relay: WebSocketServer, token: string) {
    this.#child = child
    this.#relay = relay
    this.token = token
    child.stdout?.on('data', (chunk: Buffer) => this.said.push(...String(chunk).split('\n').filter(Boolean)))
    child.stderr?.on('data', (chunk: Buffer) => this.said.push(...String(chunk).split('\n').filter(Boolean)))
    relay.on('connection', (socket, request) => this.#pass(socket, request.headers.authorization))
  }

  /** Starts a command in the folder of an example. */
  static async start(
    name: string,
    command: readonly [string, ...string[]] = MAIN,
    env: object = {},
  ): Promise<ExampleBot> {
    const token = `of-${crypto.randomUUID()}`
    const [program, ...words] = command
    const child = spawn(program, words, {
      cwd: `${EXAMPLES}/${name}`,
      env: { PATH: process.env['PATH'] ?? '', PORT: '0', BOT_TOKEN: token, ...env },
    })
    const relay = new WebSocketServer({ host: '127.0.0.1', port: 0 })
    await once(relay, 'listening')
    const bot = new ExampleBot(child, relay, token)
    bot.#bot = await until(`${name} listens`, () => bot.address)
    return bot
  }

  /** Where the program itself listens; null before it said so. */
  get address(): string | null {
    if (this.#child.exitCode !== null) throw new Error(this.said.join('\n'))
    return /^(?:Listens on|- Local:) +(\S+)$/m.exec(this.said.join('\n'))?.[1] ?? null
  }

  /** The address of the relay, which stands for the program. */
  get url(): string {
    return `ws://127.0.0.1:${(this.#relay.address() as AddressInfo).port}/`
  }

  texts(from: Relayed['from']): any[] {
    return this.relayed.filter((one) => one.from === from && one.text !== null).map(({ text }) => text)
  }

  async stop(): Promise<void> {
    for (const socket of this.#relay.clients) socket.terminate()
    this.#relay.close()
    if (this.#child.exitCode !== null) return
    const exited = once(this.#child, 'exit')
    this.#child.kill()
    await within('the example ends', exited)
  }

  #pass(service: WebSocket, authorization: string | undefined): void {
    const bot = new WebSocket(this.#bot, { headers: { authorization: authorization ?? '' } })
    const early: [Buffer, boolean][] = []
    service.on('message', (data: Buffer, isBinary) => {
      this.#keep('service', data, isBinary)
      if (bot.readyState === WebSocket.OPEN) bot.send(data, { binary: isBinary })
      else early.push([data, isBinary])
    })
    bot.on('open', () => early.forEach(([data, isBinary]) => bot.send(data, { binary: isBinary })))
    bot.on('message', (data: Buffer, isBinary) => {
      this.#keep('bot', data, isBinary)
      service.send(data, { binary: isBinary })
    })
    bot.on('error', () => service.close(1011))
    bot.on('close', (code) => service.close(code === 1005 || code === 1006 ? 1000 : code))
    service.on('close', (code) => {
      this.codes.push(code)
      bot.close()
    })
  }

  #keep(from: Relayed['from'], data: Buffer, isBinary: boolean): void {
    const text = isBinary ? null : JSON.parse(String(data))
    this.relayed.push({ from, atMs: Date.now(), text, audio: isBinary ? data : null })
  }
}

/** Has the bot answer the calls of a number. */
export async function connectedTo(
  service: Service,
  { id }: PairedNumber,
  bot: ExampleBot,
  how: { readonly dialect: string; readonly rate?: number },
): Promise<void> {
  const headers = { authorization: `Bearer ${bot.token}` }
  const voice = { ...how, connectTo: bot.url, headers, answer: 'accept', onUnreachable: 'reject' }
  const { status, text } = await service.api('PATCH', `/v1/numbers/${id}`, service.tenantKey, { voice })
  if (status !== 200) throw new Error(`the setting was answered ${status}: ${text}`)
}

/** The close code, or the status of the refusal, that a program answers to a caller with this authorization. */
export async function refusalOf(bot: ExampleBot, authorization: string): Promise<number> {
  const socket = new WebSocket(bot.address ?? '', { headers: { authorization } })
  const refused = once(socket, 'unexpected-response').then(([, { statusCode }]) => Number(statusCode))
  refused.finally(() => socket.terminate()).catch(() => {})
  return await Promise.race([refused, once(socket, 'close').then(([code]) => Number(code))])
}
