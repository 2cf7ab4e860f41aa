import { createRuntime, type Runtime } from '../actors/engine/runtime.ts'
import { createDirectory, type RunningDirectory } from '../actors/hosting/directory.ts'
import { CHANGES_MS } from '../actors/hosting/timers.ts'
import { RedisAsks } from '../src/cluster/asks-redis.ts'
import type { NumberCommands } from '../actors/number/messages.ts'
import { patchNumber } from '../src/commands/numbers/patch.ts'
import { removeNumber } from '../src/commands/numbers/remove.ts'
import type { WebhookPorts } from '../src/commands/webhooks/ports.ts'
import { rotateSecret } from '../src/commands/webhooks/rotate-secret.ts'
import type { NumberPorts } from '../src/commands/numbers/ports.ts'
import type { NumberStore } from '../src/ports/stores/number-store.ts'
import type { WebhookStore } from '../src/ports/stores/webhook-store.ts'
import type { CallId, MessageBatchId, MessageId, NodeId, NumberId } from '../src/domain/ids.ts'
import type { Webhook } from '../src/domain/webhook.ts'
import type { ProviderDriver } from '../src/ports/provider.ts'
import { noMetrics, silentLog } from '../test/helpers/silent.ts'
import type { Dispatcher } from '../src/webhooks/dispatcher.ts'
import { startDesk, type Desk } from './accounts/desk.ts'
import type { Platform } from './accounts/platform.ts'
import { every, untilDone } from './again.ts'
import type { Engines } from './engines/engines.ts'
import { startDeliveries } from './deliveries.ts'
import { NodeWire, type Wires } from './node-wire.ts'
import type { Journal } from './journal.ts'
import type { Machine } from './machine.ts'
import { overNetwork, type Network } from './network.ts'
import { NodeMedia, type MediaHosts } from './media.ts'
import type { Batch, Database, Send } from './database.ts'
import type { Receivers } from './receivers.ts'

/** Files are no subject of a simulation: no message of the workload has one. */
const NO_FILES = {
  prepare: () => Promise.reject(new Error('no files')),
  rehost: () => Promise.reject(new Error('no files')),
}

/** What stands around a gateway. */
export interface Surroundings {
  readonly network: Network
  readonly journal: Journal
  readonly database: Database
  readonly wires: Wires
  readonly engines: Engines
  readonly receivers: Receivers
  readonly media: MediaHosts
  readonly platform: Platform
  /** The actors of all processes: the actor library keeps them until they are let go of. */
  readonly runtimes: Runtime[]
  /** Tells every other gateway something over the network; it may be lost. */
  tellOthers(teller: Gateway, tell: (other: Gateway) => void): void
}

/** A gateway: the actors of the product over ports that cross the network. */
export class Gateway {
  readonly machine: Machine
  readonly nodeId: NodeId
  readonly runtime: Runtime
  readonly #around: Surroundings
  #directory: RunningDirectory | null = null
  #dispatcher: Dispatcher | null = null
  #numbers: NumberStore | null = null
  #webhooks: WebhookStore | null = null
  #desk: Desk | null = null

  constructor(around: Surroundings, nodeId: NodeId, machine: Machine) {
    this.#around = around
    this.nodeId = nodeId
    this.machine = machine
    this.runtime = createRuntime({ clock: machine, log: silentLog, metrics: noMetrics })
    around.runtimes.push(this.runtime)
  }

  /** Starts as the process of a gateway does: it joins, takes its numbers and goes on looking. */
  async start(boot: string): Promise<void> {
    const { machine, nodeId } = this
    const { database, network, engines, receivers, media, platform, journal } = this.#around
    const note = (what: string) => journal.note(machine.name, what)
    const way = { network, from: machine, to: database.machine, note }
    const { inbound, errands, ...stores } = overNetwork(database.stores, way)
    const { deliveries } = overNetwork({ deliveries: database.deliveriesOf(nodeId) }, way)
    this.#webhooks = overNetwork({ webhooks: database.webhooks }, way).webhooks
    const { leases, placement } = overNetwork(database.ownershipOf(nodeId, boot), way)
    await untilDone(machine, () => placement.join(true))
    const driver: ProviderDriver = {
      kind: 'UNOFFICIAL',
      openSession: (spec, listener) => engines.open(machine, spec, listener),
    }
    const asks = await RedisAsks.open({
      wire: new NodeWire(this.#around.wires, machine),
      prefix: '',
      nodeId,
      secret: 'x'.repeat(32),
      clock: machine,
      log: silentLog,
    })
    const directory = createDirectory({
      stores,
      inbound,
      leases,
      placement,
      errands,
      asks,
      readCallEvents: () => [],
      readMessageEvents: () => [],
      files: NO_FILES,
      conversationOf: (_, peer) => `conv_${peer}`,
      wantsStories: async () => false,
      elsewhere: (numberId) => this.#around.tellOthers(this, (other) => other.wake(numberId)),
      handedOver: () => this.#around.tellOthers(this, (other) => other.takeHandedOver()),
      mediaKnown: () => {},
      peerTyping: () => {},
      templateRefused: () => {},
      sending: {},
      registry: { driver: () => driver },
      media: new NodeMedia(media, machine, network),
      clock: machine,
      log: silentLog,
      metrics: noMetrics,
      runtime: this.runtime,
      timers: {},
    })
    this.#directory = directory
    this.#numbers = stores.numbers
    void directory.start()
    this.#desk = startDesk(machine, overNetwork(database.account.shared, way), platform)
    this.#everyChore(() => directory.lookForWork('sends'))
    this.#everyChore(() => directory.workErrands())
    const { setAside } = stores
    this.#dispatcher = await startDeliveries(machine, { deliveries, setAside, fetchUrl: receivers.from(machine) })
  }

  /** Throws until it has joined. */
  get desk(): Desk {
    if (!this.#desk) throw new Error('not yet')
    return this.#desk
  }

  /**
   * A request of a client to send a text: stored, then answered; null when the number is gone. Rejects when it is
   * unknown whether it was stored.
   */
  async accept(send: Send): Promise<MessageId | null> {
    const atMs = this.machine.now()
    const messageId = await this.#commit((database) => database.accept(send.text, send, atMs))
    if (messageId !== null) this.#directory?.sendsQueued(send.numberId)
    return messageId
  }

  /** A request of a client to send a batch, as a send of one text. Gives its messages in their order. */
  async acceptBatch(batch: Batch): Promise<readonly MessageId[] | null> {
    const atMs = this.machine.now()
    const messageIds = await this.#commit((database) => database.acceptBatch(batch, atMs))
    if (messageIds !== null) this.#directory?.sendsQueued(batch.numberId)
    return messageIds
  }

  /** A request of a client to cancel what is not sent of a batch. Gives how many are; null when there is none. */
  cancelBatch(numberId: NumberId, batchId: MessageBatchId): Promise<number | null> {
    return this.#commit(({ messages }) => messages.cancelBatch(numberId, batchId))
  }

  async #commit<T>(run: (database: Database) => T): Promise<T> {
    const { network, database } = this.#around
    const carried = await network.ask(this.machine, database.machine, () => run(database))
    if (carried.kind !== 'answered') throw new Error(carried.kind)
    return carried.value
  }

  /** A request of a client to change a setting: PATCH /v1/numbers/{id}. Rejects when it is unknown whether it did. */
  async configure(numberId: NumberId, msgRejectCall: string): Promise<boolean> {
    const directory = this.#directory
    const numbers = this.#numbers
    const number = await numbers?.load(numberId)
    if (!directory || !numbers || !number) return false
    const ports = {
      numbers,
      log: silentLog,
      askApplySettings: (id: NumberId, fields: NumberCommands['ApplySettings']['fields']) =>
        directory.tellNumber(id, 'ApplySettings', fields),
    } as Pick<NumberPorts, 'numbers' | 'log' | 'askApplySettings'> as NumberPorts
    return (await patchNumber(ports, { number, settings: { msgRejectCall } })).ok
  }

  /** A request of a client to remove a number: DELETE /v1/numbers/{id}. Rejects when it is unknown whether it did. */
  async remove(numberId: NumberId): Promise<boolean> {
    const directory = this.#directory
    const numbers = this.#numbers
    if (!directory || !numbers) return false
    const number = await numbers.load(numberId)
    if (!number) return true
    const ports = {
      numbers,
      askRemove: (id: NumberId) => directory.askNumber(id, 'Remove', {}),
      revokeCallers: async () => {},
    } as Pick<NumberPorts, 'numbers' | 'askRemove' | 'revokeCallers'> as NumberPorts
    return (await removeNumber(ports, number)).ok
  }

  /**
   * A request of a client to rotate the secret of a webhook: POST /v1/webhooks/{id}/secret. Gives the new one, and null
   * when the webhook is gone. Rejects when it is unknown whether it did.
   */
  async rotateSecret({ id, tenantId, numberId }: Webhook): Promise<string | null> {
    if (!this.#webhooks) throw new Error('not yet')
    const ports = { webhooks: this.#webhooks, clock: this.machine } as Pick<WebhookPorts, 'webhooks' | 'clock'>
    const rotated = await rotateSecret(ports as WebhookPorts, { scope: { tenantId, numberId }, id })
    return rotated.ok ? rotated.value.secret : null
  }

  /** A request of a client to place a call: POST /v1/calls. False when it was refused. */
  async placeCall(numberId: NumberId, to: string): Promise<boolean> {
    const fields = { to, bizOpaqueCallbackData: null, sdp: null }
    return (await this.#directory?.askNumber(numberId, 'PlaceCall', fields))?.ok ?? false
  }

  /** A request of a client to accept or to end a call: POST /v1/calls/{id}/accept and /terminate. */
  async steerCall(numberId: NumberId, callId: CallId, how: 'Accept' | 'Terminate'): Promise<boolean> {
    const asked = how === 'Accept' ? { sdp: null } : {}
    return (await this.#directory?.askCall(numberId, callId, how, asked as { readonly sdp: null }))?.ok ?? false
  }

  /** Stops as SIGTERM has it: numbers are given to the others, then the process ends. */
  async stop(): Promise<void> {
    await this.#directory?.drain()
    await this.#directory?.stop()
    await this.#dispatcher?.stop()
    this.machine.kill()
  }

  wake(numberId: NumberId): void {
    this.#directory?.sendsQueuedElsewhere(numberId)
  }

  takeHandedOver(): void {
    this.#directory?.takeHandedOver()
  }

  #everyChore(run: () => Promise<unknown>): void {
    this.machine.after(CHANGES_MS, () => every(this.machine, CHANGES_MS, run))
  }
}
