import test from 'ava'
import {
  FAST,
  failSends,
  newPeer,
  reachablePeer,
  send,
  sendText,
  untilEvents,
  untilStatus,
} from '../helpers/message-service.ts'
import { connectOfficial } from '../helpers/official-service.ts'
import { Service } from '../helpers/service.ts'
import { readyTemplate, turnTemplate } from '../helpers/template-service.ts'
import { until } from '../helpers/until.ts'

const DAY_MS = 24 * 3_600_000
let service: Service

test.before(async () => {
  service = await Service.start({ env: FAST })
})

test.after.always(async () => {
  await service?.stop()
})

const soon = () => new Date(Date.now() + 1_500).toISOString()

// [message-verbs.delivery.1]
test.serial(
  'OFFICIAL: a template that is paused, disabled or deleted before its deliverAt fails with its own code',
  async (t) => {
    const number = await connectOfficial(service)
    for (const [event, code] of [
      ['PAUSED', 'OFFICIAL_TEMPLATE_PAUSED'],
      ['DISABLED', 'OFFICIAL_TEMPLATE_DISABLED'],
      ['DELETED', 'OFFICIAL_TEMPLATE_NOT_APPROVED'],
    ] as const) {
      const { id: templateId, externalId } = await readyTemplate(service, number, `ends_${event.toLowerCase()}`)
      const later = await send(service, number, {
        destinationNumber: newPeer(),
        templateId,
        variables: { customer: 'Ana' },
        deliverAt: soon(),
      })
      await turnTemplate(service, externalId, { event })
      t.is((await untilStatus(service, number, later.id, ['FAILED'])).errorCode, code)
      const events = await untilEvents(service, number, later.id, 'message.failed')
      t.deepEqual(
        events.map(({ event: told }) => told),
        ['message.failed'],
        'it is told once',
      )
    }
  },
)

// [message-verbs.pace.3] [message-verbs.pace.4]
test.serial(
  'OFFICIAL: a refusal that means a blocked or locked account raises the health of the number until upstream lifts it',
  async (t) => {
    for (const error of ['131031', '368']) {
      const number = await connectOfficial(service)
      const read = async (query = '') =>
        (await service.api('GET', `/v1/numbers/${number.id}${query}`, service.tenantKey)).body.health
      t.is((await read()).level, null)
      const peer = await reachablePeer(service, number)
      await failSends(service, number, { error })
      const { id } = await sendText(service, number, peer, 'hello')
      t.is((await untilStatus(service, number, id, ['FAILED'])).errorCode, 'OFFICIAL_ERROR')
      await until('it is shown', async () => (await read()).level === 'restricted')
      t.is((await read()).code, 'account_restricted')
      t.is((await read('?refresh=1')).level, null, 'upstream calls the phone connected')
    }
  },
)

// [message-verbs.delivery.1]
test.serial('OFFICIAL: a window that ends before deliverAt fails the message with its own code', async (t) => {
  const number = await connectOfficial(service)
  const peer = await reachablePeer(service, number)
  await untilStatus(service, number, (await sendText(service, number, peer, 'in time')).id, ['READ'])
  const { id } = await sendText(service, number, peer, 'too late', { deliverAt: soon() })
  await service.control('POST', '/official/clock', { advanceMs: DAY_MS })
  t.is((await untilStatus(service, number, id, ['FAILED'])).errorCode, 'OFFICIAL_OUTSIDE_24H_WINDOW')
})
