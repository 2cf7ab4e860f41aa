import test from 'ava'
import { Receiver, type AnswerArrival } from '../helpers/receiver.ts'
import { Service, type PairedNumber } from '../helpers/service.ts'
import { until } from '../helpers/until.ts'

const CALLS = 80
/** In seconds, longer than the test: no hanging delivery is given up before the end. */
const TIMEOUT_SECONDS = 3_600

test('an endpoint that never answers holds up no delivery of another one, and is not given all there is', async (t) => {
  const receiver = await Receiver.open()
  t.teardown(() => receiver.close())
  const service = await Service.start({ env: { WEBHOOK_TIMEOUT_SECONDS: String(TIMEOUT_SECONDS) } })
  t.teardown(() => service.stop())
  const number = await service.pairNumber({ rejectCall: true })
  let hung = 0
  let letGo = 0
  const hang: AnswerArrival = (_arrival, response) => {
    hung++
    response.on('close', () => letGo++)
  }
  // One webhook before and one after the hanging one, so that a wait shows in either order.
  await subscribe(service, number, receiver.endpoint('/first'))
  await subscribe(service, number, receiver.endpoint('/hanging', hang))
  await subscribe(service, number, receiver.endpoint('/last'))

  await ring(service, number, 1)
  await until('the endpoint hangs', () => hung > 0)
  await ring(service, number, CALLS - 1)
  for (const path of ['/first', '/last']) {
    const taken = await receiver.until(path, CALLS)
    t.is(new Set(taken.map(({ id }) => id)).size, CALLS, `${path} took every event`)
  }
  t.is(letGo, 0, 'all that while the other one hung')
  t.log(`${hung} tries hang`)
  t.true(hung < CALLS, `${hung} tries were given to the endpoint that hangs`)
})

async function subscribe(service: Service, number: PairedNumber, url: string): Promise<void> {
  const made = await service.api('POST', '/v1/webhooks', number.key, { url, events: ['call.ended'] })
  if (made.status !== 201) throw new Error(`no webhook: ${made.text}`)
}

/** Lets peers call the number, one after the other. */
async function ring(service: Service, number: PairedNumber, count: number): Promise<void> {
  for (let call = 0; call < count; call++) {
    const rung = await service.control('POST', `/peers/55119700${String(call).padStart(5, '0')}/calls`, {
      to: number.digits,
      audio: 'silence',
    })
    if (rung.status !== 201) throw new Error(`not rung: ${rung.text}`)
  }
}
