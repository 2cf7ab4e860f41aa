import test from 'ava'
import { acknowledge, Receiver, type AnswerArrival } from '../helpers/receiver.ts'
import { Service, type PairedNumber } from '../helpers/service.ts'
import { until } from '../helpers/until.ts'

const BLOCKS = 6
const CALLS_A_BLOCK = 14
/** Longer than a block takes, so that the tries that hang do so to its end. */
const TIMEOUT_SECONDS = 4

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

/**
 * Blocks of calls by turns: in one the number's second webhook is prompt, in the next it never answers. Both kinds of
 * block make the same deliveries on the same machine at the same time of the run, so what differs is the hanging.
 */
test('an endpoint that never answers does not delay another one', async (t) => {
  t.timeout(180_000)
  const receiver = await Receiver.open()
  t.teardown(() => receiver.close())
  const service = await Service.start({ env: { WEBHOOK_TIMEOUT_SECONDS: String(TIMEOUT_SECONDS) } })
  t.teardown(() => service.stop())
  const number = await service.pairNumber({ rejectCall: true })
  let hanging = 0
  let hung = 0
  const hang: AnswerArrival = (_arrival, response) => {
    hanging++
    hung++
    response.on('close', () => hanging--)
  }
  let delays: number[] = []
  await subscribe(service, number, receiver.endpoint('/measured', (arrival, response) => {
    delays.push(Date.now() - Date.parse(JSON.parse(String(arrival.body)).timestamp))
    acknowledge(arrival, response)
  }))
  await ring(service, number, receiver, CALLS_A_BLOCK)

  const beside: Record<'prompt' | 'hanging', number[]> = { prompt: [], hanging: [] }
  for (let block = 0; block < BLOCKS * 2; block++) {
    const kind = block % 2 === 0 ? 'prompt' : 'hanging'
    const second = await subscribe(service, number, receiver.endpoint(`/${kind}`, kind === 'prompt' ? acknowledge : hang))
    delays = []
    await ring(service, number, receiver, CALLS_A_BLOCK)
    beside[kind].push(...delays)
    t.is((await service.api('DELETE', `/v1/webhooks/${second}`, number.key)).status, 200)
    await until('what hangs is given up', () => hanging === 0, 60_000)
  }

  const [prompt, slow] = [median(beside.prompt), median(beside.hanging)]
  t.log(`median from stored to received: ${prompt} ms beside a prompt endpoint, ${slow} ms beside a hanging one; ${hung} tries hung`)
  t.true(hung >= BLOCKS * 5, 'many tries hung indeed')
  t.true(hung < BLOCKS * CALLS_A_BLOCK, 'and a hanging endpoint is not given all there is')
  // Had a delivery waited for one that hangs, the median would be seconds; the bound leaves room for a busy machine.
  t.true(slow <= prompt * 1.5 + 100, `${slow} ms instead of ${prompt} ms`)
})

async function subscribe(service: Service, number: PairedNumber, url: string): Promise<string> {
  const made = await service.api('POST', '/v1/webhooks', number.key, { url, events: ['call.ended'] })
  if (made.status !== 201) throw new Error(`no webhook: ${made.text}`)
  return made.body.id
}

/** Has peers call the number, one after the other, and waits until all their events reached the measured endpoint. */
async function ring(service: Service, number: PairedNumber, receiver: Receiver, count: number): Promise<void> {
  const before = receiver.at('/measured').length
  for (let call = 0; call < count; call++) {
    const rung = await service.control('POST', `/peers/55119700${String(call).padStart(5, '0')}/calls`, { to: number.digits, audio: 'silence' })
    if (rung.status !== 201) throw new Error(`not rung: ${rung.text}`)
  }
  await receiver.until('/measured', before + count, undefined, 60_000)
}
