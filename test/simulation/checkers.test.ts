import test from 'ava'
import { succeed } from '../../src/domain/errors.ts'
import { shortPlan, simulate, type Spoil } from '../../simulation/simulate.ts'

/** Seeds within which each fault must be found. */
const SEEDS = 60

const OF_ACCOUNTS = /an account is the same on both sides|what was answered of a template or a Flow holds/

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

test.serial('numbers that engines take from each other are noticed', async (t) => {
  const broken = await found(({ database: { engineRows } }) => {
    const get = engineRows.leases.get.bind(engineRows.leases)
    engineRows.leases.get = (numberId) => {
      const lease = get(numberId)
      return lease && { ...lease, untilMs: -Infinity }
    }
  })
  t.regex(broken, /a number has one owner: engine_\S+ opened a socket of num_\w+, which engine_\S+ has/)
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

test.serial('a template whose lost creation is not looked for is noticed', async (t) => {
  const broken = await found(({ platform: { templates } }) => {
    const portOf = templates.portOf.bind(templates)
    templates.portOf = (machine) => ({ ...portOf(machine), find: async () => succeed(null) })
  })
  t.regex(broken, OF_ACCOUNTS)
})

test.serial('a template in doubt that nobody asks about again is noticed', async (t) => {
  const broken = await found(({ database: { account } }) => {
    account.shared.templates.takeAsked = async () => []
  })
  t.regex(broken, /it is known what became of what upstream was asked: what became of [A-Z]+ of t\d+ is not known/)
})

test.serial('an edit that upstream took and the row did not is noticed', async (t) => {
  const broken = await found(({ platform: { templates } }) => {
    const portOf = templates.portOf.bind(templates)
    templates.portOf = (machine) => {
      const port = portOf(machine)
      const no = { upstreamCode: 1, upstreamSubcode: null, upstreamMessage: 'No' }
      return { ...port, edit: async (...edit) => (await port.edit(...edit), { kind: 'refused', no }) }
    }
  })
  t.regex(broken, OF_ACCOUNTS)
})

test.serial('a Flow whose lost creation is not looked for is noticed', async (t) => {
  const broken = await found(({ platform: { flows } }) => {
    const portOf = flows.portOf.bind(flows)
    const page = async () => succeed({ flows: [], next: null, isWhole: false })
    flows.portOf = (machine) => ({ ...portOf(machine), page })
  })
  t.regex(broken, OF_ACCOUNTS)
})

test.serial('a rotation that forgets the secret before it is noticed', async (t) => {
  const broken = await found(({ database: { webhooks } }) => {
    const rotate = webhooks.rotateSecret.bind(webhooks)
    webhooks.rotateSecret = async (scope, id, secret, previousUntil) => {
      const isThere = await rotate(scope, id, secret, previousUntil)
      webhooks.secrets.set(id, [{ secret, until: null }])
      return isThere
    }
  })
  t.regex(broken, /a tenant can verify what it is told: \S+ could not verify evt_/)
})

/** An actor that nobody asked for, in each process. It says `count` words to itself. */
function withActor(count: number): Spoil {
  return ({ runtimes }) => {
    const push = runtimes.push.bind(runtimes)
    runtimes.push = (runtime) => {
      const actor = runtime.spawn('odd', {
        kind: 'odd',
        initial: null,
        receive: () => null,
        crashed: () => null,
        undelivered: () => {},
      })
      for (let n = 0; n < count; n++) actor.tell({ type: 'Word' })
      return push(runtime)
    }
  }
}

test.serial('actors that nothing ends are noticed', async (t) => {
  t.regex(await found(withActor(0)), /what waits is bounded: \d actors are left for \d numbers/)
})

test.serial('a mailbox that fills is noticed', async (t) => {
  t.regex(await found(withActor(31)), /what waits is bounded: 31 messages waited for one actor/)
})
