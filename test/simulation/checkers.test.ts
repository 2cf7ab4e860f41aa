import test from 'ava'
import { shortPlan, simulate, type Spoil } from '../../simulation/simulate.ts'

/** Seeds within which each fault must be found. */
const SEEDS = 20

/** What the seeds say broke, when something of the cluster does not do what it must. */
async function found(spoil: Spoil): Promise<string> {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const { broken } = await simulate(shortPlan(seed), spoil)
    if (broken.length > 0) return broken.join('\n')
  }
  return ''
}

test.serial('a database that checks no fence is noticed', async (t) => {
  const broken = await found(({ database: { rows } }) => {
    const write = rows.write.bind(rows)
    rows.write = (name, fence, run) =>
      write(name, { ...fence, token: rows.leases.get(fence.numberId)?.token ?? fence.token }, run)
  })
  t.not(broken, '')
})

test.serial('leases that are given to whoever asks are noticed', async (t) => {
  const broken = await found(({ database: { rows } }) => {
    const get = rows.leases.get.bind(rows.leases)
    rows.leases.get = (numberId) => {
      const lease = get(numberId)
      return lease && { ...lease, untilMs: -Infinity }
    }
  })
  t.regex(broken, /a number has one owner/)
})

test.serial('an upstream that knows no message again is noticed', async (t) => {
  const broken = await found(({ upstream }) => {
    upstream.knowsAgain = false
  })
  t.regex(broken, /what is accepted is sent once: [mb]\d+ was accepted and reached upstream \d+ times/)
})

test.serial('an inbox that takes a message twice is noticed', async (t) => {
  const broken = await found(({ database: { messages } }) => {
    messages.received.some = () => false
  })
  t.regex(broken, /what is written is stored and told once/)
})

test.serial('a batch that is sent faster than its pace is noticed', async (t) => {
  const broken = await found(({ database: { messages } }) => {
    const accept = messages.accept.bind(messages)
    messages.accept = (message, batch) => accept(message, batch && { ...batch, perMinute: null })
  })
  t.regex(broken, /a batch keeps its pace/)
})

test.serial('a message that is canceled while it is sent is noticed', async (t) => {
  const broken = await found(({ database: { messages } }) => {
    messages.cancelBatch = (_, batchId) => {
      const ofBatch = [...messages.queued.values()].filter(({ message }) => message.batch?.id === batchId)
      for (const { message } of ofBatch) messages.move(message.id, { status: 'CANCELED' })
      return ofBatch.length
    }
  })
  t.regex(broken, /what is accepted is sent once: b\d+ is CANCELED, and upstream took it/)
})
