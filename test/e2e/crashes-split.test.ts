import test from 'ava'
import { Service } from '../helpers/service.ts'
import { until } from '../helpers/until.ts'

let service: Service

test.before(async () => {
  service = await Service.start({ isSplit: true })
})

test.after.always(async () => {
  await service?.stop()
})

test.serial(
  'kill -9 of the gateway alone: answered and ringing calls go on with the one that starts again, and numbers reconnect without a new QR',
  async (t) => {
    const number = await service.pairNumber()
    const calls = await service.acceptedCalls(number, 2)
    const ringing = await service.placeCall(number, '5511990000003')
    await service.gateway.kill('SIGKILL')
    await service.startGateway()
    await service.untilState(number.id, 'OPEN')
    for (const id of [...calls, ringing.id]) {
      // A ringing call may have ended meanwhile, because it rings for a minute at most.
      if (id !== ringing.id)
        t.is((await service.api('POST', `/v1/calls/${id}/realtime-session`, number.key)).status, 200)
      await service.endCall(number, id)
      const row = await service.untilCall(number, id, ['COMPLETED', 'MISSED'])
      t.like(row, { status: id === ringing.id ? 'MISSED' : 'COMPLETED', errorCode: null })
      t.is((await service.events(number, 'call.ended')).filter(({ data }) => data.id === id).length, 1)
      await until(
        'the phone is told',
        async () => (await service.control('GET', `/calls/${row.externalCallId}`)).body.state === 'ENDED',
      )
    }
    const next = await service.placeCall(number, '5511990000001')
    await service.untilCall(number, next.id, ['ACCEPTED'])
    await service.endCall(number, next.id)
  },
)

test.serial('a media host restarted under a running gateway is found again', async (t) => {
  const number = await service.pairNumber()
  const [id = ''] = await service.acceptedCalls(number, 1)
  await service.media?.kill('SIGKILL')
  await service.startMedia()
  await service.untilCall(number, id, ['FAILED'])
  const placed = await until('a call is placed again', async () => {
    const answer = await service.api('POST', '/v1/calls', number.key, { to: '5511990000001' })
    return answer.status === 201 ? answer.body : null
  })
  t.is((await service.untilCall(number, placed.id, ['ACCEPTED'])).status, 'ACCEPTED')
  await service.endCall(number, placed.id)
})
