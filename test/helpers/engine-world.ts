import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  installEngine,
  startEngineProgram,
  startNetworkProgram,
  type EngineProgram,
  type NetworkProgram,
} from '../../tools/demo/engine-programs.ts'
import { openWindow, type EngineWindow } from '../../tools/demo/engine-window.ts'
import { Rest } from '../../tools/demo/rest.ts'
import type { PairedNumber, Service } from './service.ts'
import { until } from './until.ts'

const TOKEN = 'token-of-the-story'
/** Numbers that pair at once; each costs the engine and the network some 0.1 s of CPU. */
const AT_ONCE = 5

/**
 * Engine and offline network as programs of their own. A gateway reaches the engine at one address, whichever process
 * of it runs at the moment.
 */
export class EngineWorld {
  /** The control interface of the offline network. */
  readonly network: Rest
  readonly #folder: string
  readonly #program: NetworkProgram
  readonly #window: EngineWindow
  readonly #engineEnv: Readonly<Record<string, string>>
  #engine!: EngineProgram

  private constructor(
    folder: string,
    program: NetworkProgram,
    window: EngineWindow,
    engineEnv: Readonly<Record<string, string>>,
  ) {
    this.#folder = folder
    this.#program = program
    this.#window = window
    this.#engineEnv = engineEnv
    this.network = new Rest(program.controlUrl)
  }

  /** Opens one; `engineEnv` is more of the engine's environment, such as that of its store. */
  static async open(engineEnv: Readonly<Record<string, string>> = {}): Promise<EngineWorld> {
    await installEngine()
    const world = new EngineWorld(
      await mkdtemp(join(tmpdir(), 'cms-engine-')),
      await startNetworkProgram(),
      await openWindow(),
      engineEnv,
    )
    await world.#start()
    return world
  }

  /** Environment of a gateway that uses this engine. */
  get env(): Record<string, string> {
    return {
      SANDBOX: 'off',
      DEVICE_BRIDGE_URL: `ws://${this.#window.host}`,
      DEVICE_BRIDGE_TOKEN: TOKEN,
      EGRESS_ALLOW: '127.0.0.0/8',
    }
  }

  async #start(): Promise<void> {
    this.#engine = await startEngineProgram(this.#program, {
      dataDir: this.#folder,
      token: TOKEN,
      url: `http://${this.#window.host}`,
      env: this.#engineEnv,
    })
    this.#window.leadTo(this.#engine.port)
  }

  /** Kills the engine with SIGKILL and restarts it on the same data. */
  async killAndRestart(): Promise<void> {
    await this.#engine.kill()
    await this.#start()
  }

  /** Creates numbers; the phone of each scans the code that is shown for it. */
  async pair(service: Service, digits: readonly string[], settings: object = {}): Promise<PairedNumber[]> {
    const paired: PairedNumber[] = []
    for (let first = 0; first < digits.length; first += AT_ONCE)
      paired.push(
        ...(await Promise.all(
          digits.slice(first, first + AT_ONCE).map((own) => this.#pairOne(service, own, settings)),
        )),
      )
    return paired
  }

  async #pairOne(service: Service, digits: string, settings: object): Promise<PairedNumber> {
    const {
      status,
      body: { id, apiKey },
      text,
    } = await service.api('POST', '/v1/numbers', service.tenantKey, { name: 'Engine', number: digits, settings })
    if (status !== 201) throw new Error(`number not created: ${text}`)
    const code = await until('a code is shown', () => this.#window.code(id))
    await this.network.post(`/control/phones/${digits}/scan`, { qr: code })
    await service.untilState(id, 'OPEN')
    return { id, digits, key: apiKey.key }
  }

  /**
   * How many stanzas the network still keeps for the linked devices of a number, because they were not acknowledged.
   */
  async waitingFor({ digits }: PairedNumber): Promise<number> {
    const { devices } = await this.network.get<{ devices: { waiting: number }[] }>(`/control/phones/${digits}`)
    return devices.reduce((sum, { waiting }) => sum + waiting, 0)
  }

  /** What a phone received, in order. */
  async received(digits: string): Promise<{ id: string; from: string; text?: string; copies: number }[]> {
    return (
      await this.network.get<{ messages: { id: string; from: string; text?: string; copies: number }[] }>(
        `/control/phones/${digits}/messages`,
      )
    ).messages
  }

  async stop(): Promise<void> {
    this.#window.close()
    await this.#engine?.kill()
    this.#program.stop()
    await rm(this.#folder, { recursive: true, force: true })
  }
}
