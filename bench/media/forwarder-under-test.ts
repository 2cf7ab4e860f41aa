import { fork } from 'node:child_process'
import type { MediaOps } from '../../src/ports/media-control.ts'
import type { FarAnswer } from './far-messages.ts'
import { figuresOf } from './host-under-test.ts'
import type { AskedOp, CarrierUnderTest } from './host-under-test.ts'

/** Starts a process that forwards packets and does nothing else; it has no clock that could be late. */
export async function startForwarder(): Promise<CarrierUnderTest> {
  const child = fork(new URL('forwarder.ts', import.meta.url), [], {
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
  const answered = (id: number): Promise<unknown> =>
    new Promise((resolve, reject) => waiting.set(id, { resolve, reject }))
  await answered(0)
  return {
    ...figuresOf(child),
    async ask<O extends AskedOp>(op: O, fields: MediaOps[O]['fields']) {
      const id = ++lastId
      const callId = 'call' in fields ? fields.call.callId : fields.callId
      if (op !== 'status') child.send({ ...fields, id, op, callId })
      return (await (op === 'status' ? null : answered(id))) as MediaOps[O]['value']
    },
    tickLateP99Ms: async () => NaN,
    async stop() {
      const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
      child.disconnect()
      await ended
    },
  }
}
