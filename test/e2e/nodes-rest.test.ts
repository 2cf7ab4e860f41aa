import test from 'ava'
import { Cluster } from '../helpers/cluster.ts'
import { countStatements, type StatementCount } from '../helpers/statement-count.ts'
import { TEST_DATABASE_URL } from '../helpers/test-servers.ts'
import { until } from '../helpers/until.ts'

/**
 * Leases of 6 s are renewed every third of that ([configuration.variables.30]), on a slow machine too. The test
 * measures time in renewals.
 */
const RENEWALS_A_SECOND = 0.5
/** Renewals of all nodes in the measured period. What happens once a minute happens twice in it. */
const RENEWALS = 64
/** our choice: the most statements a second of a node at rest. */
const STATEMENTS_A_SECOND = 3

const isRunnable = TEST_DATABASE_URL !== null && process.env['TEST_REDIS_URL'] !== undefined
const story = isRunnable ? test.serial : test.serial.skip

let cluster: Cluster
let statements: StatementCount

test.before(async () => {
  if (!isRunnable) return
  cluster = await Cluster.start({
    gateways: 2,
    async databaseWay(url) {
      statements = await countStatements(url)
      return statements.url
    },
  })
})

test.after.always(async () => {
  await cluster?.stop()
  statements?.close()
})

function isRenewal(text: string): boolean {
  return text.startsWith('with alive as')
}

/** Counts statements by their text until there were `wanted` renewals. */
async function overRenewals(wanted: number): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  statements.take()
  await until(`there were ${wanted} renewals`, () => {
    for (const [text, count] of statements.take()) counts.set(text, (counts.get(text) ?? 0) + count)
    return [...counts].reduce((sum, [text, count]) => sum + (isRenewal(text) ? count : 0), 0) >= wanted
  })
  return counts
}

story(
  'a node of a cluster at rest asks the database three times a second at most, with a session and a webhook too',
  async (t) => {
    const [node] = cluster.nodes
    if (!node) return t.fail()
    const number = await node.service.pairNumber()
    await node.service.api('POST', '/v1/webhooks', number.key, {
      url: 'http://127.0.0.1:9/nobody',
      events: ['message.received'],
    })
    // The work after start and pairing is over by then.
    await overRenewals(10)
    const counts = await overRenewals(RENEWALS)
    const all = [...counts.values()].reduce((sum, count) => sum + count, 0)
    const aSecond = all / (RENEWALS / RENEWALS_A_SECOND)
    const most = [...counts]
      .toSorted(([, one], [, other]) => other - one)
      .slice(0, 12)
      .map(([text, count]) => `${count} ${text.slice(0, 80)}`)
    t.true(aSecond <= STATEMENTS_A_SECOND, `${aSecond.toFixed(2)} a node and second:\n${most.join('\n')}`)
    t.log(`${aSecond.toFixed(2)} statements a node and second`)
  },
)
