import test from 'ava'
import { freePort } from '../helpers/free-port.ts'
import { linkPage, submitLead, untilLead } from '../helpers/lead-service.ts'
import { FAST } from '../helpers/message-service.ts'
import { Service } from '../helpers/service.ts'
import { taken } from '../helpers/template-service.ts'
import { until } from '../helpers/until.ts'

test('a lead that was being fetched when the only gateway was killed is fetched at the next start, however long its lease was', async (t) => {
  const service = await Service.start({ isSplit: true, env: { ...FAST, PORT: String(await freePort()) } })
  t.teardown(() => service.stop())
  const number = await service.pairNumber()
  const page = await linkPage(service, number)
  taken(await service.control('POST', '/faults', { match: { op: 'lead.read' }, delayMs: 600_000 }), 201)
  const leadgenId = await submitLead(service, page)
  await until('the lead is asked for', async () => (await service.control('GET', '/faults')).body.faults.length === 0)
  await service.gateway.kill('SIGKILL')
  // An hour is longer than the test waits, so the notice does not become due by itself.
  const held = await service.rows<{ is_taken: boolean }>(
    "update lead_notices set due_at = now() + interval '1 hour' returning taken_by is not null as is_taken",
  )
  t.deepEqual(held, [{ is_taken: true }])
  await service.startGateway()
  t.like(await untilLead(service, number, leadgenId), { leadgenId, source: 'webhook' })
})
