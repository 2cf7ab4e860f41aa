import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sine, wavFile } from '../../tools/demo/signal.ts'
import type { Cluster } from './cluster.ts'
import { newPeer } from './message-service.ts'
import { seededRandom } from './receiver-zoo.ts'
import type { Answer, PairedNumber, Service } from './service.ts'
import { until } from './until.ts'

interface Party {
  readonly number: PairedNumber
  /** Ids of accepted messages, by their text. */
  readonly sent: Map<string, string>
  readonly peer: string
  /** Ids of placed calls, and of those that were ended. */
  readonly placed: string[]
  readonly ended: Set<string>
  groups: number
  /** An accepted call for sessions and files; null on most numbers. */
  callId: string | null
}

/** our choice: the number of numbers with an accepted call; each costs a fifth of a processor. */
const TALKING = 2
/** our choice: the number of numbers that are paired at once. */
const PAIRING = 8

/** our choice, in ms: the file is short, so that no queue of files fills. */
const TONE_MS = 40

/** Serves a short tone under any path, and counts how often each was fetched. */
class Tones {
  readonly fetched = new Map<string, number>()
  readonly #server: Server
  readonly #bytes = wavFile(sine(600, TONE_MS, 44_100, 0.3), 44_100)

  constructor() {
    this.#server = createServer(({ url = '' }, response) => {
      this.fetched.set(url, (this.fetched.get(url) ?? 0) + 1)
      response.writeHead(200, { 'content-type': 'audio/wav' }).end(this.#bytes)
    })
  }

  async open(): Promise<void> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
  }

  urlOf(path: string): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${path}`
  }

  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }
}

/** Sends commands of every kind for many numbers, each to a random node. */
export class NodeStorm {
  readonly #cluster: Cluster
  readonly #random: () => number
  readonly #parties: Party[] = []
  readonly #statuses = new Map<string, number>()
  /** Answers that an undisturbed cluster does not give. */
  readonly unexpected: string[] = []
  readonly #tones = new Tones()
  /** Paths of files that were to be played. */
  readonly #played: string[] = []
  #pairings = 0
  #step = 0

  private constructor(cluster: Cluster, seed: number) {
    this.#cluster = cluster
    this.#random = seededRandom(seed)
  }

  /** Pairs the numbers, each through random nodes, and starts calls on some of them. */
  static async prepare(cluster: Cluster, numbers: number, seed: number): Promise<NodeStorm> {
    const storm = new NodeStorm(cluster, seed)
    await storm.#tones.open()
    for (let from = 0; from < numbers; from += PAIRING) {
      const batch = Array.from({ length: Math.min(PAIRING, numbers - from) }, () => storm.#pair())
      storm.#parties.push(...(await Promise.all(batch)))
    }
    for (const party of storm.#parties.slice(0, TALKING)) {
      const node = storm.#anyNode()
      const { id } = await node.placeCall(party.number, newPeer())
      await node.untilCall(party.number, id, ['ACCEPTED'])
      party.callId = id
    }
    return storm
  }

  async #pair(): Promise<Party> {
    const at = this.#pairings++
    const digits = `55118${String(at).padStart(8, '0')}`
    const created = await this.#ask('create', 'POST', '/v1/numbers', this.#cluster.tenantKey, {
      name: `Number ${at}`,
      number: digits,
    })
    const number = { id: created.body.id, digits, key: created.body.apiKey.key }
    await until(
      'a code is shown',
      async () =>
        (await this.#ask('connect', 'POST', `/v1/numbers/${number.id}/connect`, this.#cluster.tenantKey)).status
        === 200,
    )
    await until(
      'the code is scanned',
      async () => (await this.#anyNode().control('POST', `/devices/${digits}/scan`)).status < 300,
    )
    await this.#anyNode().untilState(number.id, 'OPEN')
    return { number, sent: new Map(), peer: newPeer(), placed: [], ended: new Set(), groups: 0, callId: null }
  }

  #anyNode(): Service {
    const { running } = this.#cluster
    const node = running[Math.floor(this.#random() * running.length)]
    if (!node) throw new Error('no node runs')
    return node.service
  }

  async #ask(what: string, method: string, path: string, key: string, body?: unknown): Promise<Answer> {
    const answer = await this.#anyNode().api(method, path, key, body)
    const said = `${what} ${answer.status}`
    this.#statuses.set(said, (this.#statuses.get(said) ?? 0) + 1)
    if (answer.status >= 500) this.unexpected.push(`${method} ${path}: ${answer.status} ${answer.text}`)
    return answer
  }

  /** Sends this many commands, some at once. */
  async run(commands: number, atOnce: number): Promise<void> {
    let left = commands
    const work = async (): Promise<void> => {
      while (left-- > 0) await this.#command()
    }
    await Promise.all(Array.from({ length: atOnce }, work))
  }

  async #command(): Promise<void> {
    const party = this.#parties[Math.floor(this.#random() * this.#parties.length)]
    if (!party) throw new Error('no number is paired')
    const drawn = this.#random()
    if (drawn < 0.35) await this.#send(party)
    else if (drawn < 0.55) await this.#call(party)
    else if (drawn < 0.7) await this.#settings(party)
    else if (drawn < 0.8) await this.#group(party)
    else if (drawn < 0.89) this.#expect(await this.#ask('status', 'GET', '/v1/status', party.number.key), 200)
    else if (drawn < 0.9) await this.#pair()
    else if (drawn < 0.94)
      this.#expect(
        await this.#ask('connect', 'POST', `/v1/numbers/${party.number.id}/connect`, this.#cluster.tenantKey),
        409,
      )
    else await this.#talk(drawn < 0.97 ? 'session' : 'play')
  }

  #expect(answer: Answer, ...statuses: readonly number[]): boolean {
    const isExpected = statuses.includes(answer.status)
    if (!isExpected && answer.status < 500) this.unexpected.push(`${answer.status} ${answer.text}`)
    return isExpected
  }

  async #send(party: Party): Promise<void> {
    const text = `message ${this.#step++}`
    const answer = await this.#ask('send', 'POST', '/v1/messages/send', party.number.key, {
      destinationNumber: party.peer,
      text,
    })
    if (this.#expect(answer, 202)) party.sent.set(text, answer.body.id)
  }

  /** Calls a peer that does not answer, so that the call costs no audio, and ends it through any node. */
  async #call(party: Party): Promise<void> {
    const placed = await this.#ask('call', 'POST', '/v1/calls', party.number.key, { to: newPeer('0003') })
    if (!this.#expect(placed, 201)) return
    party.placed.push(placed.body.id)
    const ended = await this.#ask('terminate', 'POST', `/v1/calls/${placed.body.id}/terminate`, party.number.key)
    if (this.#expect(ended, 200)) party.ended.add(placed.body.id)
  }

  async #settings(party: Party): Promise<void> {
    const alwaysOnline = this.#random() < 0.5
    this.#expect(
      await this.#ask('settings', 'PATCH', `/v1/numbers/${party.number.id}`, this.#cluster.tenantKey, {
        settings: { alwaysOnline },
      }),
      200,
    )
  }

  async #group(party: Party): Promise<void> {
    const made = await this.#ask('group', 'POST', '/v1/groups', party.number.key, {
      subject: `Group ${this.#step++}`,
      participants: [party.peer],
    })
    if (this.#expect(made, 201)) party.groups++
  }

  async #talk(what: 'session' | 'play'): Promise<void> {
    const talking = this.#parties.filter(({ callId }) => callId !== null)
    const party = talking[Math.floor(this.#random() * talking.length)]
    if (!party) return
    if (what === 'session')
      return void this.#expect(
        await this.#ask(what, 'POST', `/v1/calls/${party.callId}/realtime-session`, party.number.key, {}),
        200,
      )
    const path = `/tone-${this.#step++}.wav`
    const answer = await this.#ask(what, 'POST', `/v1/calls/${party.callId}/play`, party.number.key, {
      mediaUrl: this.#tones.urlOf(path),
    })
    if (this.#expect(answer, 200)) this.#played.push(path)
  }

  /** Faults: what does not exist as often as it was asked for. */
  async faults(): Promise<string[]> {
    const faults = this.#played
      .filter((path) => this.#tones.fetched.get(path) !== 1)
      .map((path) => `${path} was to be played once, and was fetched ${this.#tones.fetched.get(path) ?? 0} times`)
    if (this.#tones.fetched.size !== this.#played.length)
      faults.push(`${this.#played.length} files were to be played, ${this.#tones.fetched.size} were fetched`)
    const numbers = await this.#cluster.rows<{ name: string; count: number }>(
      `select name, count(*)::integer as count from channel_numbers where number like '55118%' group by name`,
    )
    if (numbers.length !== this.#pairings || numbers.some(({ count }) => count !== 1))
      faults.push(`${this.#pairings} numbers were made, ${numbers.length} are there`)
    for (const party of this.#parties) faults.push(...(await this.#faultsOf(party)))
    return faults
  }

  async #faultsOf({ number, peer, sent, placed, ended, groups }: Party): Promise<string[]> {
    const node = this.#anyNode()
    const texts = await until('all messages went out', async () => {
      const { body } = await node.control('GET', `/peers/${peer}/inbox`)
      const found = body.messages.filter(({ from }: any) => from === number.digits).map(({ text }: any) => String(text))
      return found.length >= sent.size ? (found as string[]) : null
    })
    const faults =
      texts.length === sent.size && new Set(texts).size === sent.size
        ? []
        : [`${number.digits}: ${sent.size} messages accepted, ${texts.length} arrived`]
    const { body: list } = await node.api('GET', '/v1/calls?limit=100', number.key)
    const rows = list.calls.filter(({ id }: any) => placed.includes(id))
    if (rows.length !== placed.length)
      faults.push(`${number.digits}: ${placed.length} calls placed, ${rows.length} there`)
    if (list.calls.length > placed.length + 1)
      faults.push(`${number.digits}: ${placed.length} calls placed, ${list.calls.length} there`)
    if (
      rows.some(
        ({ id, status }: any) => ended.has(id) && !['MISSED', 'COMPLETED', 'FAILED', 'REJECTED'].includes(status),
      )
    )
      faults.push(`${number.digits}: a call that was ended is live`)
    const { body: there } = await node.api('GET', '/v1/groups', number.key)
    if (there.groups.length !== groups)
      faults.push(`${number.digits}: ${groups} groups made, ${there.groups.length} there`)
    return faults
  }

  /** Counts of answers, by command and status. */
  counts(): string {
    return [...this.#statuses]
      .map(([said, times]) => `${said}: ${times}`)
      .toSorted()
      .join(', ')
  }

  /** Ends the calls and the server of tones. */
  async end(): Promise<void> {
    this.#tones.close()
    for (const { number, callId } of this.#parties) if (callId !== null) await this.#anyNode().endCall(number, callId)
  }
}
