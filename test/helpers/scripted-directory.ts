import type { CallCommandType } from '../../actors/call/messages.ts'
import type { Directory } from '../../actors/hosting/directory.ts'
import type { NumberCommandType } from '../../actors/number/messages.ts'
import type { DeviceOp } from '../../src/domain/device-ops.ts'
import { fail, refuse, succeed } from '../../src/domain/errors.ts'
import type { Outcome } from '../../src/domain/errors.ts'

type Askable = NumberCommandType | CallCommandType | DeviceOp

export interface Asked {
  readonly type: Askable
  readonly fields: any
}

type Script = { [T in Askable]?: (fields: any) => Outcome<any> | Promise<Outcome<any>> }

/** A directory that answers by script and records asks; an ask without a script is BUSY. */
export class ScriptedDirectory implements Directory {
  readonly asked: Asked[] = []
  script: Script = {}

  async askNumber(_: unknown, type: NumberCommandType, fields: any): Promise<Outcome<any>> {
    const { trace: __trace, ...others } = fields
    return this.#answer(type, others)
  }

  /** Asks for whose answer nobody waits. */
  readonly told: NumberCommandType[] = []

  async tellNumber(_: unknown, type: NumberCommandType, fields: any): Promise<Outcome<any>> {
    this.told.push(type)
    return this.#answer(type, fields)
  }

  /** Traces of asks are left out: nothing is recorded here. */
  async askCall(_: unknown, __: unknown, type: CallCommandType, fields: any): Promise<Outcome<any>> {
    const { trace: __trace, ...others } = fields
    return this.#answer(type, others)
  }

  async askDevice(_: unknown, op: DeviceOp, input: any): Promise<Outcome<any>> {
    return this.#answer(op, input)
  }

  readonly received: string[] = []

  async receive(numberId: string): Promise<void> {
    this.received.push(numberId)
  }

  /** Numbers that were woken for their queue. */
  readonly queued: string[] = []

  sendsQueued(numberId: string): void {
    this.queued.push(numberId)
  }

  /** Reports of the latest request with a key that it takes too long. */
  late: () => void = () => {}

  async patiently<T>(work: () => Promise<T>, late: () => void): Promise<T> {
    this.late = late
    return await work()
  }

  async #answer(type: Askable, fields: any): Promise<Outcome<any>> {
    this.asked.push({ type, fields })
    return (await this.script[type]?.(fields)) ?? fail(refuse('BUSY', 'not scripted'))
  }
}

/** A pairing code as an actor returns it. */
export const shownCode = succeed({ qr: '2@pairing-text', pairingCode: 'ABCD-1234', expiresInMs: 20_000 })
