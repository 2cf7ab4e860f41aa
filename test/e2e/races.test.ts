import test from 'ava'
import type { PairedNumber, Service } from '../helpers/service.ts'
import { joinService } from '../helpers/shared-service.ts'
import { counted } from '../helpers/size.ts'
import { until } from '../helpers/until.ts'

const FINAL = ['REJECTED', 'COMPLETED', 'FAILED', 'MISSED']
const BATCHES = counted(20, 3)
let service: Service
let number: PairedNumber

test.before(async () => {
  service = await joinService()
  number = await service.pairNumber()
})

/** One inbound call on which both sides act at the same moment. */
async function race(round: number): Promise<string> {
  const peer = String(5_511_960_000_000 + round)
  const { body } = await service.control('POST', `/peers/${peer}/calls`, { to: number.digits })
  const call = await until('the call rings', async () => {
    const found = await service.api('GET', `/v1/calls/${body.callId}`, number.key)
    return found.status === 200 ? found.body : null
  })
  const acts = [
    () => service.api('POST', `/v1/calls/${call.id}/accept`, number.key),
    () => service.api('POST', `/v1/calls/${call.id}/terminate`, number.key),
    () => service.control('POST', `/calls/${call.externalCallId}/hangup`),
  ]
  const turn = round % acts.length
  const answers = await Promise.all([...acts.slice(turn), ...acts.slice(0, turn)].map((act) => act()))
  for (const answer of answers) {
    if (answer.status >= 500) throw new Error(`a racing request answered ${answer.status}: ${answer.text}`)
  }
  return call.id
}

test(`${BATCHES * 10} races of accept, terminate and hang-up leave one terminal state and one terminal event each`, async (t) => {
  const ids: string[] = []
  for (let batch = 0; batch < BATCHES; batch++) {
    ids.push(...(await Promise.all(Array.from({ length: 10 }, (_, i) => race(batch * 10 + i)))))
  }
  for (const id of ids) await service.untilCall(number, id, FINAL)
  const events = await service.events(number)
  for (const id of ids) {
    const terminal = events.filter(
      (event) => event.data.id === id && ['call.ended', 'call.missed'].includes(event.event),
    )
    t.is(terminal.length, 1, `${id} has ${terminal.length} terminal events`)
  }
  const ready = await service.placeCall(number, '5511990000002')
  await service.untilCall(number, ready.id, ['REJECTED'])
})
